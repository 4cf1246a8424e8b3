#!/usr/bin/env python3
"""Holds the texts of the PTX models against their native checkers, on all of the public suite.

usage: texts.py WARPSAN

For each test and property of computed_ptx.tsv both must give the same answer, states, numbers of
executions and of cut ones, and findings. Prints the tests that took the texts longest. Skipped where the
suite is not at hand.
"""
import pathlib
import sys

from suite import MODELS, check, find_suite, read_rows
from runner import finish

COMPARED = ("complete", "incomplete", "verdict", "holds", "executions", "cut", "states")
SLOWEST = 5


def summary(result):
    """What has to be equal; None if there is no result."""
    if result is None:
        return None
    return {key: result[key] for key in COMPARED} | {"rules": [f["rule"] for f in result["findings"]]}


def differences(native, text):
    if native is None or text is None:
        return "no result"
    return ", ".join(f"{key}: natively {str(native[key])[:80]}, by its text {str(text[key])[:80]}"
                     for key in native if native[key] != text[key])


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    suite = find_suite()
    groups = {}
    for row in read_rows(suite, "computed_ptx.tsv"):
        groups.setdefault((MODELS[row["model"]], row["property"]), set()).add(row["path"])
    count = 0
    failures, times = [], []
    for (model, asked), paths in sorted(groups.items()):
        native = check(warpsan, suite, model, asked, sorted(paths))
        text = check(warpsan, suite, model, asked, sorted(paths), ["--interpret"])
        for path in sorted(paths):
            count += 1
            found = differences(summary(native.get(path)), summary(text.get(path)))
            if found:
                failures.append(f"{path} {model} {asked}: {found}")
            if path in text:
                times.append((text[path]["seconds"], path, model, asked))
    for failure in failures:
        print("FAILED", failure)
    for seconds, *what in sorted(times, reverse=True)[:SLOWEST]:
        print(f"{seconds:.2f} s: {' '.join(what)}")
    finish(count - len(failures), len(failures))


if __name__ == "__main__":
    main()
