#!/usr/bin/env python3
"""Several workers find what one finds, and say it in the same words.

usage: jobs.py WARPSAN

Every test of tests/litmus, under every model: the JSON lines are equal but for the time. For kernels see
jobs_kernels.py.
"""
import pathlib
import sys

from counts import MODELS, check, litmus_tests
from runner import finish

VARYING = ("seconds",)


def without_varying(result):
    return {key: value for key, value in result.items() if key not in VARYING}


def differing_keys(one, other):
    one, other = without_varying(one), without_varying(other)
    return [key for key in {**one, **other} if one.get(key) != other.get(key)]


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    texts = litmus_tests()
    passed = failed = 0
    for model in MODELS:
        alone = check(warpsan, texts, model, ["-j", "1"])
        for jobs in ("2", "4"):
            shared = check(warpsan, texts, model, ["-j", jobs])
            for name in texts:
                keys = differing_keys(alone[name], shared.get(name, {}))
                passed += not keys
                failed += bool(keys)
                if keys:
                    print(f"FAILED {name} under {model} with -j {jobs}: {', '.join(keys)} differ")
    finish(passed, failed)


if __name__ == "__main__":
    main()
