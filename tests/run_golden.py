#!/usr/bin/env python3
"""Runs the command on every case under tests/golden and compares all that it prints.

usage: run_golden.py WARPSAN [NAME...]     only cases whose path contains a NAME

A case is NAME.litmus, NAME.cat or NAME.ptx with NAME.expected beside it: standard output, then
standard error, then the line `exit STATUS`. NAME.args, or else default.args in the same folder, or
else `check` is what the command is given; FILE in it stands for the case's path, which otherwise is
the last argument. The command runs in the project's root. UPDATE=1 rewrites the expectations: to add
a case, create an empty NAME.expected, run with UPDATE=1, and review what was written.
"""
import difflib
import os
import pathlib
import shlex
import subprocess
import sys

from runner import run_cases

ROOT = pathlib.Path(__file__).resolve().parents[1]
SUFFIXES = (".litmus", ".cat", ".ptx")
TIMEOUT_SECONDS = 60


def find_cases(names):
    for expected in sorted((ROOT / "tests" / "golden").rglob("*.expected")):
        inputs = [expected.with_suffix(suffix) for suffix in SUFFIXES]
        found = [str(path.relative_to(ROOT)) for path in inputs if path.exists()]
        case = found[0] if found else str(expected.relative_to(ROOT))
        if not names or any(name in case for name in names):
            yield case


def arguments(case):
    path = ROOT / case
    for file in (path.with_suffix(".args"), path.parent / "default.args"):
        if file.exists():
            words = shlex.split(file.read_text())
            break
    else:
        words = ["check"]
    if "FILE" not in words:
        words.append("FILE")
    return [case if word == "FILE" else word for word in words]


def actual_output(warpsan, case):
    done = subprocess.run([warpsan, *arguments(case)], cwd=ROOT, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=TIMEOUT_SECONDS)
    return done.stdout + done.stderr + b"exit %d\n" % done.returncode


def run_case(warpsan, case):
    if case.endswith(".expected"):
        return "there is no input beside this file"
    expected_file = (ROOT / case).with_suffix(".expected")
    try:
        actual = actual_output(warpsan, case)
    except subprocess.TimeoutExpired:
        return f"no end after {TIMEOUT_SECONDS} s"
    if os.environ.get("UPDATE") == "1":
        expected_file.write_bytes(actual)
        return None
    return difference(expected_file.read_bytes(), actual)


def difference(expected, actual):
    if expected == actual:
        return None
    lines = [data.decode(errors="backslashreplace").splitlines() for data in (expected, actual)]
    text = "\n".join(difflib.unified_diff(*lines, "expected", "actual", lineterm=""))
    return text or "the texts differ in their line ends or in bytes that are not UTF-8"


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    run_cases(list(find_cases(sys.argv[2:])), lambda case: run_case(warpsan, case))


if __name__ == "__main__":
    main()
