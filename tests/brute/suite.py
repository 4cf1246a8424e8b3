#!/usr/bin/env python3
"""Holds the brute-force enumerator against the recorded verdicts of the public PTX suite.

usage: suite.py BRUTE

The suite is found through WARPSAN_SHARED or ../shared beside the checkout; without it the test is
skipped (exit status 77). Tests with loops and other things that BRUTE refuses are counted only.
"""
import collections
import csv
import os
import subprocess
import sys

MODELS = {"ptx-v6.0.cat": "ptx60", "ptx-v7.5.cat": "ptx"}


def find_suite():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    shared = os.environ.get("WARPSAN_SHARED") or os.path.join(root, "..", "shared")
    return os.path.realpath(os.path.join(shared, "suites", "dat3m"))


def judge(brute, paths):
    """(path, model) -> "true", "false" or "cut"; refused tests are absent."""
    output = subprocess.run([brute, "--judge", *paths], capture_output=True, text=True)
    verdicts = {}
    refused = collections.Counter()
    for line in output.stdout.splitlines():
        fields = line.split("\t")
        if fields[1] == "skipped":
            refused[fields[2]] += 1
        else:
            verdicts[fields[0], fields[1]] = fields[2]
    return verdicts, refused


def main():
    suite = find_suite()
    table = os.path.join(suite, "expected.tsv")
    if not os.path.exists(table):
        print(f"skipped: no suite at {suite}")
        return 77
    with open(table) as file:
        rows = [r for r in csv.DictReader(file, delimiter="\t")
                if r["model"] in MODELS and r["property"] == "program_spec"]
    paths = sorted({os.path.join(suite, r["path"]) for r in rows})
    verdicts, refused = judge(sys.argv[1], paths)
    agree = differ = 0
    for row in rows:
        found = verdicts.get((os.path.join(suite, row["path"]), MODELS[row["model"]]))
        if found is None:
            continue
        expected = "true" if row["expected"] == "PASS" else "false"
        agree += found == expected
        if found != expected:
            differ += 1
            print(f"{row['path']} {row['model']}: expected {expected}, found {found}")
    for reason, count in refused.most_common():
        print(f"not read: {count} files: {reason}")
    print(f"{agree} agree, {differ} differ")
    return 1 if differ or not agree else 0


if __name__ == "__main__":
    sys.exit(main())
