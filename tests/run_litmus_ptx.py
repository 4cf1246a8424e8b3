#!/usr/bin/env python3
"""Checks tests/litmus_ptx: litmus tests as PTX kernels, with the verdict that the model gives them.

usage: run_litmus_ptx.py WARPSAN [FOLDER...]

`// final: !(OUTCOME)` of a test denies the outcome that it asks for, and `// verdict: allowed|forbidden` says
whether the model allows it: allowed means that some execution violates the condition, forbidden that none
does. Data races are expected where a test's accesses are plain, and are no matter here.
"""
import pathlib
import re
import sys

from runner import check_json, run_cases

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ("tests/litmus_ptx",)
VERDICT = re.compile(r"(?m)^//\s*verdict:\s*(allowed|forbidden)\s*$")
VIOLATION = ("assert", "stale-value")
TIMEOUT_SECONDS = 60


def find_cases(folders):
    for folder in folders:
        yield from (str(path.relative_to(ROOT)) for path in sorted((ROOT / folder).rglob("*.ptx")))


def run_case(warpsan, file):
    stated = VERDICT.search((ROOT / file).read_text())
    if not stated:
        return "the test states no verdict (`// verdict: allowed` or `forbidden`)"
    command = [warpsan, "check", "--explore-races", "--format", "json", file]
    result, problem = check_json(command, ROOT, TIMEOUT_SECONDS)
    if problem:
        return problem
    violations = [f for f in result["findings"] if f["rule"] in VIOLATION]
    found = "allowed" if violations else "forbidden"
    return None if found == stated.group(1) else f"expected {stated.group(1)}, found {found}"


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    cases = list(find_cases(sys.argv[2:] or FOLDERS))
    run_cases(cases, lambda case: run_case(warpsan, case))


if __name__ == "__main__":
    main()
