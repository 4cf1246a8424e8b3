#!/usr/bin/env python3
"""The library has no variables of static storage duration that can change.

usage: mutable_globals.py ROOT STATIC_LIBRARY
"""
import re
import shutil
import subprocess
import sys

from project import report, skip

# VALUE FLAGS SECTION SIZE NAME; flags are seven columns, O marks data other than thread-local.
SYMBOL = re.compile(r"^[0-9a-f]+ (.{7}) (\S+)\t([0-9a-f]+)\s+(?:\.hidden )?(\S+)$", re.M)
WRITABLE = re.compile(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro)(\..*)?$|\*COM\*$")
# base/arena.c: tests of memory exhaustion; where a thread leaves, for the thread alone. host/run.c: which C function a thread runs, for the thread alone, since
# operations of scoped.h cannot name it.
EXCEPTIONS = {"chunks_until_failure", "current_thread", "worker_escape"}


def main():
    if not shutil.which("objdump"):
        skip("objdump is absent (package binutils)")
    command = ["objdump", "--syms", sys.argv[2]]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    symbols = [match.groups() for match in SYMBOL.finditer(text)]
    data = [(section, name) for flags, section, size, name in symbols
            if ("O" in flags or section.startswith((".tdata", ".tbss"))) and int(size, 16) > 0]
    report([f"{name}: is a variable that can change ({section})" for section, name in data
            if WRITABLE.match(section) and name not in EXCEPTIONS], len(data))


if __name__ == "__main__":
    main()
