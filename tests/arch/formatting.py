#!/usr/bin/env python3
"""clang-format would change no file."""
import re
import shutil
import subprocess

from project import c_files, report, root, skip

FOLDERS = ("src", "include", "tests", "fuzz", "bench", "examples")


def main():
    if not shutil.which("clang-format"):
        skip("clang-format is absent")
    files = c_files(FOLDERS)
    command = ["clang-format", "--dry-run", "--Werror", *map(str, files)]
    done = subprocess.run(command, cwd=root(), capture_output=True, text=True)
    first_lines = {}
    for path, line in re.findall(r"^(\S+?):(\d+):\d+: error:", done.stderr, re.M):
        first_lines.setdefault(path, line)
    found = [f"{path}:{line}: is not as clang-format lays it out" for path, line in first_lines.items()]
    if done.returncode and not found:
        found = [f"clang-format: {done.stderr}"]
    report(found, len(files))


if __name__ == "__main__":
    main()
