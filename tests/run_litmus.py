#!/usr/bin/env python3
"""Checks tests/litmus and examples/litmus against the verdicts that the tests state themselves.

usage: run_litmus.py WARPSAN [FOLDER...]

A test states a verdict by `expect MODEL: ...` in a comment. Each test is run under each model that it
names; the command compares and reports rule `expectation` where it finds another verdict. A test of
these folders that states nothing fails.
"""
import pathlib
import re
import sys

from runner import check_json, run_cases

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ("tests/litmus", "examples/litmus")
EXPECTATION = re.compile(r"(?m)^[\s(*]*expect\s+([\w.-]+)\s*:")
TIMEOUT_SECONDS = 120


def find_cases(folders):
    """(file, model) for each expectation; the model is None where a file has none."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.litmus")):
            file = str(path.relative_to(ROOT))
            models = EXPECTATION.findall(path.read_text(errors="replace"))
            yield from ((file, model) for model in dict.fromkeys(models) or [None])


def run_case(warpsan, case):
    file, model = case
    if model is None:
        return "the test states no verdict (`expect MODEL: ...` in a comment)"
    command = [warpsan, "check", "--format", "json", "--model", model, file]
    result, problem = check_json(command, ROOT, TIMEOUT_SECONDS)
    if problem:
        return problem
    unexpected = [f for f in result["findings"] if f["rule"] == "expectation"]
    return "\n".join(finding["message"] for finding in unexpected) or None


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    cases = list(find_cases(sys.argv[2:] or FOLDERS))
    run_cases(cases, lambda case: run_case(warpsan, case))


if __name__ == "__main__":
    main()
