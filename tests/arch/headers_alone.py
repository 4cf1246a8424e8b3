#!/usr/bin/env python3
"""Each header compiles alone as C17; the public ones also as C++11.

usage: headers_alone.py ROOT [CC [CXX]]
"""
import shutil
import subprocess
import sys

from project import c_files, report, root

C_FLAGS = ["-std=c17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-D_POSIX_C_SOURCE=200809L"]
# A unit that only includes a header uses none of its functions.
C_FLAGS += ["-Wno-unused-function"]
CXX_FLAGS = ["-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def compile_alone(compiler, language, flags, header):
    folders = [f"-I{root() / folder}" for folder in ("src", "include")]
    command = [compiler, "-x", language, *flags, *folders, "-fsyntax-only", "-"]
    # Twice: a header without a guard would be noticed.
    source = f'#include "{header}"\n' * 2
    done = subprocess.run(command, input=source, capture_output=True, text=True)
    return done.stderr if done.returncode else None


def violations(headers, compiler, language, flags):
    for path in headers:
        text = compile_alone(compiler, language, flags, "/".join(path.parts[1:]))
        if text:
            yield f"{path}: does not compile alone as {language}\n{text}"


def main():
    compilers = sys.argv[2:] + ["cc", "c++"][len(sys.argv[2:]):]
    headers = c_files(["src", "include"], (".h",))
    found = list(violations(headers, compilers[0], "c", C_FLAGS))
    public = c_files(["include"], (".h",))
    if shutil.which(compilers[1]):
        found += violations(public, compilers[1], "c++", CXX_FLAGS)
    else:
        print(f"skipped: no C++ compiler ({compilers[1]}), the public headers were not tried with it")
    report(found, len(headers))


if __name__ == "__main__":
    main()
