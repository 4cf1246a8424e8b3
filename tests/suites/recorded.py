#!/usr/bin/env python3
"""Holds the command against the verdicts that the public suite records.

usage: recorded.py WARPSAN [OPTION...]     OPTIONs are passed on: --interpret

All rows of expected.tsv about the PTX models and TSO. Skipped where the suite is not at hand.
"""
import pathlib
import sys

from suite import find_suite, judge_rows, read_rows
from runner import finish


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    suite = find_suite()
    passed = failed = 0
    for row, found in judge_rows(warpsan, suite, read_rows(suite, "expected.tsv"), sys.argv[2:]):
        passed += found == row["expected"]
        if found != row["expected"]:
            failed += 1
            print(f"FAILED {row['path']} {row['model']} {row['property']}: "
                  f"recorded {row['expected']}, found {found}")
    finish(passed, failed if passed else 1)


if __name__ == "__main__":
    main()
