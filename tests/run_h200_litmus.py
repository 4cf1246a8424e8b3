#!/usr/bin/env python3
"""Holds the models against what an H200 made of random litmus tests.

usage: run_h200_litmus.py WARPSAN

tests/h200/litmus/*.txt have litmus tests, each with a comment `(* seen: VALUE ..., ... *)`: the states that were seen, with
the values of what the condition names. All must be among the outcomes that the model `ptx` allows. In how many tests
there are some that `sc` does not allow is printed: without any the tests would say little.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from runner import run_cases

ROOT = pathlib.Path(__file__).resolve().parent / "h200" / "litmus"
NAMES = re.compile(r"([\w:]+) == 0")
SEEN = re.compile(r"\(\* seen: (.*) \*\)")
TIMEOUT_SECONDS = 300


def read_states(text):
    names = NAMES.findall(text)
    return {frozenset(zip(names, map(int, state.split()))) for state in SEEN.search(text)[1].split(", ")}


def read_tests():
    """{name: (text, the states that were seen)}"""
    texts = [text for path in sorted(ROOT.glob("*.txt")) for text in path.read_text().split("\n\n") if text.strip()]
    return {text.split()[1]: (text, read_states(text)) for text in texts}


def allowed_states(warpsan, tests):
    """{name: {model: states}}"""
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, _) in tests.items():
            pathlib.Path(folder, f"{name}.litmus").write_text(text)
        command = [warpsan, "outcomes", "--models", "sc,ptx", "--format", "json", folder]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    allowed = {}
    for line in done.stdout.splitlines():
        result = json.loads(line)
        assert all(model["complete"] for model in result["models"])
        states = {"sc": set(), "ptx": set()}
        for outcome in result["outcomes"]:
            for model, count in outcome["counts"].items():
                if count:
                    states[model].add(frozenset(outcome["state"].items()))
        allowed[result["test"]] = states
    return allowed


def main():
    tests = read_tests()
    allowed = allowed_states(sys.argv[1], tests)
    weak = [name for name, (_, seen) in tests.items() if not seen <= allowed[name]["sc"]]
    print(f"{len(weak)} of {len(tests)} tests were seen to have outcomes that are not sequentially consistent")

    def run_case(name):
        text, seen = tests[name]
        wrong = seen - allowed[name]["ptx"]
        return "\n".join([text, *(f"not allowed: {sorted(state)}" for state in wrong)]) if wrong else None

    run_cases(list(tests), run_case)


if __name__ == "__main__":
    main()
