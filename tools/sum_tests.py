#!/usr/bin/env python3
"""Adds up the checks of `meson test` runs and prints `N passed, N failed`.

usage: sum_tests.py [--failed-builds N] BUILD_FOLDER...

A test program that counts its checks says so: `N passed, N failed` in its own output, or cmocka's
summary. Any other test counts as one check, as does a warning of the compiler (in build.log).
"""
import argparse
import json
import pathlib
import re
import sys

COUNTS = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)
CMOCKA_PASSED = re.compile(r"^\[  PASSED  \] (\d+) test", re.M)
CMOCKA_FAILED = re.compile(r"^\[  FAILED  \] (\d+) test", re.M)


def counts(record):
    """(passed, failed) of one test program."""
    if record["result"] == "SKIP":
        return 0, 0
    is_failure = record["result"] not in ("OK", "EXPECTEDFAIL")
    text = record.get("stdout", "") + "\n" + record.get("stderr", "")
    passed, failed = printed_counts(text) or (int(not is_failure), 0)
    # It may have crashed after its last check.
    return passed, max(failed, int(is_failure))


def printed_counts(text):
    own = COUNTS.findall(text)
    if own:
        return int(own[-1][0]), int(own[-1][1])
    passed, failed = CMOCKA_PASSED.findall(text), CMOCKA_FAILED.findall(text)
    if passed or failed:
        return sum(map(int, passed)), sum(map(int, failed))
    return None


def count_folder(folder):
    log = folder / "meson-logs" / "testlog.json"
    if not log.exists():
        print(f"{folder}: no tests ran")
        return 0, 1
    results = [counts(json.loads(line)) for line in log.read_text().splitlines()]
    return sum(p for p, _ in results), sum(f for _, f in results)


def count_warnings(folder):
    log = folder / "build.log"
    text = log.read_text(errors="replace") if log.exists() else ""
    return len(set(re.findall(r"^.*: warning: .*$", text, re.M)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--failed-builds", type=int, default=0)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    passed, failed = 0, options.failed_builds
    for folder in options.folders:
        folder_passed, folder_failed = count_folder(folder)
        warnings = count_warnings(folder)
        print(f"{folder}: {folder_passed} passed, {folder_failed} failed, {warnings} warnings")
        passed += folder_passed
        failed += folder_failed + warnings
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
