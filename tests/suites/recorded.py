#!/usr/bin/env python3
"""Holds the command against the verdicts that the public suite records.

usage: recorded.py WARPSAN [OPTION...]     OPTIONs are passed on: --interpret

All rows of expected.tsv about the PTX models, TSO, RC11 and C11. Those in which we differ on purpose
have to differ. Skipped where the suite is not at hand.
"""
import pathlib
import sys

from suite import find_suite, judge_rows, read_rows
from runner import finish

# docs/differences.md, "C11 and RC11": values out of thin air.
DIFFERENT = {(f"c11/auto/{name}.litmus", "c11.cat")
             for name in ("cyc", "linearisation2", "roachmotel2", "seq2", "strengthen2")}


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    suite = find_suite()
    passed = failed = 0
    for row, found in judge_rows(warpsan, suite, read_rows(suite, "expected.tsv"), sys.argv[2:]):
        expected = row["expected"]
        if (row["path"], row["model"]) in DIFFERENT:
            expected = "FAIL" if expected == "PASS" else "PASS"
        passed += found == expected
        if found != expected:
            failed += 1
            print(f"FAILED {row['path']} {row['model']} {row['property']}: "
                  f"recorded {row['expected']}, found {found}")
    finish(passed, failed if passed else 1)


if __name__ == "__main__":
    main()
