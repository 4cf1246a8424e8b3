#!/usr/bin/env python3
"""Turns the files models/*.cat into one C file, the table that src/model/builtin.h declares.

usage: embed.py MODELS_FOLDER OUTPUT.c DEPFILE
"""
import pathlib
import sys


def c_string(data):
    """A C string literal, one line of the literal for each line of the text."""
    lines = data.splitlines(keepends=True) or [b""]
    return "\n".join("    \"" + "".join(c_character(b) for b in line) + "\"" for line in lines)


def c_character(byte):
    escapes = {ord("\n"): "\\n", ord("\""): "\\\"", ord("\\"): "\\\\", ord("?"): "\\?"}
    if byte in escapes:
        return escapes[byte]
    # Octal escapes have at most three digits: the next character cannot become part of them.
    return chr(byte) if 32 <= byte < 127 else "\\%03o" % byte


def table(files):
    """The last entry is empty: C has no arrays without elements."""
    yield '#include "model/builtin.h"\n'
    yield "#include <stddef.h>\n"
    yield "const BuiltinText builtin_texts[] = {"
    for file in files:
        data = file.read_bytes()
        yield '  {"%s",\n%s,\n   %d},' % (file.stem, c_string(data), len(data))
    yield "  {NULL, NULL, 0},\n};\n"
    yield "const uint32_t builtin_text_count = %d;" % len(files)


def main():
    folder, output, depfile = (pathlib.Path(argument) for argument in sys.argv[1:])
    files = sorted(folder.glob("*.cat"))
    output.write_text("\n".join(table(files)) + "\n")
    # The folder is an input too, so that a file added to it is noticed.
    inputs = [folder, *files] if folder.is_dir() else files
    depfile.write_text("%s: %s\n" % (output, " ".join(str(f).replace(" ", "\\ ") for f in inputs)))


if __name__ == "__main__":
    main()
