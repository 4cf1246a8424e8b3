#!/usr/bin/env python3
"""Holds the command against verdicts that another checker computed, blessed by nobody.

usage: computed.py WARPSAN

Each row of computed_ptx.tsv must get a certain answer, those too that the other checker left UNKNOWN
or ERROR. Where it answered otherwise than ours, the row is in docs/differences.md, with the reason.
Skipped where the suite is not at hand.
"""
import collections
import pathlib
import re
import sys

from suite import ROOT, find_suite, judge_rows, read_rows
from runner import finish

DIFFERENCE = re.compile(r"^\| `(ptx/[^`]+)` \| (\S+) \| (\S+) \| (PASS|FAIL) \| (PASS|FAIL) \|", re.M)


def documented_differences():
    """(path, model, property, their verdict, our verdict) of each."""
    return set(DIFFERENCE.findall((ROOT / "docs" / "differences.md").read_text()))


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    suite = find_suite()
    documented = documented_differences()
    unused = set(documented)
    counts = collections.Counter()
    failures = []
    for row, found in judge_rows(warpsan, suite, read_rows(suite, "computed_ptx.tsv")):
        counts[row["got"], found] += 1
        difference = (row["path"], row["model"], row["property"], row["got"], found)
        if found not in ("PASS", "FAIL"):
            failures.append(f"{' '.join(difference[:3])}: no answer: {found}")
        elif row["got"] in ("PASS", "FAIL") and row["got"] != found and difference not in documented:
            failures.append(f"{' '.join(difference[:3])}: they say {row['got']}, we {found}, and "
                            "docs/differences.md does not say why")
        unused.discard(difference)
    failures += [f"docs/differences.md: this is no difference: {' '.join(row)}" for row in sorted(unused)]
    for failure in failures:
        print("FAILED", failure)
    for (theirs, ours), count in sorted(counts.items()):
        print(f"theirs {theirs}, ours {ours}: {count}")
    finish(sum(counts.values()) - len(failures), len(failures))


if __name__ == "__main__":
    main()
