#!/usr/bin/env python3
"""Textbook .cat files, as users write them, say the same as the built-in models that they describe.

usage: textbook.py WARPSAN

Each file of tests/cat names its built-in model in a comment; verdicts and numbers of executions are
compared on tests/litmus and, where it is at hand, on the public suite. Files written for programs
without barriers are tried on those.
"""
import json
import pathlib
import re
import subprocess
import sys

from suite import ROOT, TIMEOUT_SECONDS, find_suite, read_rows
from runner import finish

MODEL = re.compile(r"Built-in model: (\w+)(, for\s+programs without barriers)?")
BARRIER = re.compile(r"\bbar(rier)?\.|@[^|;]*,\s*after\b")


def read_models():
    """(file, built-in model, knows barriers) of each textbook file that describes one."""
    for path in sorted((ROOT / "tests" / "cat").glob("*.cat")):
        found = MODEL.search(path.read_text())
        if found:
            yield path, found[1], not found[2]


def suite_tests():
    try:
        suite = find_suite()
    except SystemExit:
        return []
    rows = read_rows(suite, "expected.tsv")
    return sorted({suite / row["path"] for row in rows if row["property"] == "program_spec"})


def check(warpsan, model, files):
    """file -> (verdict, number of executions)"""
    command = [warpsan, "check", "--format", "json", "--property", "program", "--no-witness",
               "--timeout", TIMEOUT_SECONDS, "--model", str(model)]
    done = subprocess.run(command + files, text=True, stdout=subprocess.PIPE)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    return {r["input"]: (r.get("holds"), r.get("executions"), r.get("incomplete")) for r in results}


def is_x86(file):
    return file.read_text(errors="replace").startswith("X86")


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    tests = sorted((ROOT / "tests" / "litmus").glob("*.litmus")) + suite_tests()
    passed = failed = 0
    for path, builtin, knows_barriers in read_models():
        files = [str(test) for test in tests
                 if (knows_barriers or not BARRIER.search(test.read_text(errors="replace")))
                 and (builtin in ("tso", "sc") or not is_x86(test))]
        expected, found = check(warpsan, builtin, files), check(warpsan, path, files)
        for file in files:
            is_same = file in found and found[file] == expected.get(file)
            passed += is_same
            failed += not is_same
            if not is_same:
                print(f"FAILED {file}: {builtin} says {expected.get(file)}, "
                      f"{path.name} {found.get(file)}")
    finish(passed, failed)


if __name__ == "__main__":
    main()
