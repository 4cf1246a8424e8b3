#!/usr/bin/env python3
"""The shared library exports names that begin with warpsan_, and no others but those of versions.

usage: exported_names.py ROOT LIBRARY
"""
import shutil
import subprocess
import sys

from project import report, skip


def exported(library):
    command = ["nm", "--dynamic", "--defined-only", "--format=posix", library]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    # A version is an absolute symbol.
    return [name.split("@")[0] for name, kind, *_ in map(str.split, lines) if kind != "A"]


def main():
    if not shutil.which("nm"):
        skip("nm is absent (package binutils)")
    names = exported(sys.argv[2])
    report([f"{name}: is exported" for name in names if not name.startswith("warpsan_")], len(names))


if __name__ == "__main__":
    main()
