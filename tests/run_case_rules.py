#!/usr/bin/env python3
"""Each rule and sub-rule that kernels can violate has at least two pairs of cases.

usage: run_case_rules.py

A pair is NAME-bug.cu or .ptx, whose header expects the rule, and NAME-ok beside it, which expects `clean`. The rules
are those of src/base/rules.def. EXCEPTIONS says which need no pairs, and why; it may name no other.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
RULE = re.compile(r'^(?:SUB_)?RULE\(\w+,\s*"([\w-]+)"', re.M)
EXPECT = re.compile(r"^\s*//\s*expect\s*:\s*(\S+)", re.M)
FEWEST = 2
EXCEPTIONS = {
    "syntax": "about the text of an input, not what it does: tests/golden",
    "expectation": "about what an input says of itself, as `expect` of the cases is",
    "unreadable": "about files: tests/cli",
    "compiler": "about the compiler that makes PTX: tests/cli/compiler.sh",
    "condition": "about conditions of litmus tests; those of kernels are told by their cause",
    "model-flag": "about models in .cat that state flags",
    "same-value": "an observation of `warpsan run`: tests/unit/test_race_barrier.c",
    "needless-sync": "advice, which no case may demand",
}


def header_of(stem, folder):
    for suffix in (".cu", ".ptx"):
        path = folder / (stem + suffix)
        if path.exists():
            found = EXPECT.search(path.read_text(errors="replace"))
            return found and found.group(1)
    return None


def count_pairs():
    folder = ROOT / "tests/cases"
    names = {path.stem.removesuffix("-bug") for path in folder.iterdir() if path.stem.endswith("-bug")}
    pairs = collections.Counter()
    for name in names:
        expected = header_of(name + "-bug", folder)
        if expected and header_of(name + "-ok", folder) == "clean":
            pairs[expected.split(":")[-1]] += 1
    return pairs


def find_problems(rules, pairs):
    for rule in rules:
        if rule in EXCEPTIONS and pairs[rule] >= FEWEST:
            yield f"{rule}: is an exception, but has {pairs[rule]} pairs"
        if rule not in EXCEPTIONS and pairs[rule] < FEWEST:
            yield f"{rule}: expected {FEWEST} pairs in tests/cases, found {pairs[rule]}"
    for rule in sorted(set(EXCEPTIONS) - set(rules)):
        yield f"{rule}: is an exception, but no rule"


def main():
    rules = RULE.findall((ROOT / "src/base/rules.def").read_text())
    if len(rules) < 20:
        sys.exit(f"expected the rules in src/base/rules.def, found {len(rules)}")
    problems = list(find_problems(rules, count_pairs()))
    print("\n".join(problems) or f"{len(rules)} rules, {len(EXCEPTIONS)} of them exceptions")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
