#!/usr/bin/env python3
"""The table of weakened orders and scopes in docs/structures.md is what the checker says.

usage: table.py PROGRAM DOCUMENT        (with UPDATE=1: writes the table)
"""
import os
import pathlib
import subprocess
import sys

BEGIN = "| structure | place | as written | weakened to | verdict |\n|---|---|---|---|---|\n"


def main():
    program, path = sys.argv[1], pathlib.Path(sys.argv[2])
    done = subprocess.run([program, "table"], capture_output=True, text=True)
    rows = sorted(done.stdout.splitlines(keepends=True), key=place)
    counts = f"{len(rows)} weakened places, {sum('equivalent' in row for row in rows)} of them equivalent."
    text = path.read_text()
    head, _, rest = text.partition(BEGIN)
    tail = rest[rest.find("\n\n"):] if "\n\n" in rest else "\n"
    fresh = head.rsplit("\n\n", 2)[0] + f"\n\n{counts}\n\n" + BEGIN + "".join(rows).rstrip("\n") + tail
    if os.environ.get("UPDATE"):
        path.write_text(fresh)
    elif fresh != text:
        sys.exit(f"{path}: the table is not what the checker says; UPDATE=1 writes it")
    sys.exit(done.returncode)


def place(row):
    cells = [cell.strip() for cell in row.split("|")]
    file, line = cells[2].split(":")
    return file, int(line), cells[3:]


if __name__ == "__main__":
    main()
