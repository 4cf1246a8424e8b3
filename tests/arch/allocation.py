#!/usr/bin/env python3
"""Nobody outside of src/base and src/api allocates memory from the C library, or ends the process."""
import re

from project import c_files, code, line_of, read, report

ALLOCATING = re.compile(
    r"\b(malloc|calloc|realloc|reallocarray|free|aligned_alloc|posix_memalign|strdup|strndup|alloca"
    r"|getline|getdelim|asprintf|vasprintf|open_memstream|scandir|realpath)\s*\(")
# The command may: it is where the process ends. So may the arena that nobody gave an escape.
ENDING = re.compile(r"\b(exit|_exit|_Exit|quick_exit|abort)\s*\(")
PRINTING = re.compile(r"\b(printf|vprintf|puts|putchar|perror)\s*\(|\b(stdout|stderr)\b")


def check_file(path):
    text = code(read(path))
    module = path.parts[1]
    patterns = []
    if module not in ("base", "api"):
        patterns.append((ALLOCATING, "allocates memory outside of arenas"))
    if module != "cli" and str(path) != "src/base/arena.c":
        patterns.append((ENDING, "ends the process"))
    if module != "cli":
        patterns.append((PRINTING, "prints: the library never does"))
    for pattern, meaning in patterns:
        for match in pattern.finditer(text):
            yield f"{path}:{line_of(text, match.start())}: {match.group().rstrip(' (')} {meaning}"


def main():
    files = c_files(["src"], (".c", ".h", ".def"))
    report([v for path in files for v in check_file(path)], len(files))


if __name__ == "__main__":
    main()
