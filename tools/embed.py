#!/usr/bin/env python3
"""Turns the files models/*.cat into one C file, the table that src/model/builtin.h declares.

usage: embed.py MODELS_FOLDER OUTPUT.c DEPFILE
"""
import pathlib
import sys

NUMBERS_A_LINE = 20


def text_array(name, data):
    """The bytes as numbers: C compilers need not accept string literals as long as these texts."""
    numbers = [str(byte) for byte in data + b"\0"]
    yield "static const unsigned char %s[] = {" % name
    for i in range(0, len(numbers), NUMBERS_A_LINE):
        yield "  " + ", ".join(numbers[i:i + NUMBERS_A_LINE]) + ","
    yield "};\n"


def c_file(files):
    yield '#include "model/builtin.h"\n'
    yield "#include <stddef.h>\n"
    for i, file in enumerate(files):
        yield from text_array("text_%d" % i, file.read_bytes())
    yield "const BuiltinText builtin_texts[] = {"
    for i, file in enumerate(files):
        yield '  {"%s", (const char *)text_%d, sizeof text_%d - 1},' % (file.stem, i, i)
    yield "  {NULL, NULL, 0}, // C has no arrays without elements"
    yield "};\n"
    yield "const uint32_t builtin_text_count = %d;" % len(files)


def main():
    folder, output, depfile = (pathlib.Path(argument) for argument in sys.argv[1:])
    files = sorted(folder.glob("*.cat"))
    output.write_text("\n".join(c_file(files)) + "\n")
    # The folder is an input too, so that a file added to it is noticed.
    inputs = [folder, *files] if folder.is_dir() else files
    depfile.write_text("%s: %s\n" % (output, " ".join(str(f).replace(" ", "\\ ") for f in inputs)))


if __name__ == "__main__":
    main()
