#!/usr/bin/env python3
"""Several workers find in kernels what one finds, and say it in the same words.

usage: jobs_kernels.py WARPSAN [--count N] [--every N]

The kernels of tests/cases, of the examples and of the measurements, and random ones (reductions.py), some of
which need thousands of executions: the JSON lines, with findings, witnesses and the numbers of executions,
choices and blocked attempts, are equal but for the time. Random kernels are also explored with every value
that a race may show, without reductions, and by the rules of CUDA C++.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from counts import ROOT
from reductions import Kernel
from runner import finish

JOBS = ("2", "4")
KEPT = ("tests/cases/*.ptx", "examples/**/*.ptx", "bench/kernels/*.ptx")
MODES = ((), ("--explore-races",), ("--explore-all",), ("--model", "cuda"))
LIMITS = ("--unroll", "3", "--max-executions", "4000")


def check(warpsan, files, *options):
    """file -> what the command prints about it, without the time."""
    command = [warpsan, "check", "--format", "json", *LIMITS, *options, *files]
    done = subprocess.run(command, text=True, capture_output=True)
    if "ThreadSanitizer" in done.stderr or "AddressSanitizer" in done.stderr:
        sys.exit(f"{' '.join(options)}: {done.stderr[:4000]}")
    results = {}
    for line in done.stdout.splitlines():
        result = json.loads(line)
        result.pop("seconds")
        results[result["input"]] = result
    return results


def is_cut_off(result):
    """Which executions come before a limit depends on the workers."""
    return "limit of" in (result["incomplete"] or "")


def compare(warpsan, files, options):
    passed = failed = executions = 0
    alone = check(warpsan, files, "-j", "1", *options)
    for jobs in JOBS:
        shared = check(warpsan, files, "-j", jobs, *options)
        for file in files:
            one, other = alone[file], shared.get(file, {})
            if is_cut_off(one):
                continue
            executions += one["executions"]
            keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
            passed += not keys
            failed += bool(keys)
            if keys:
                print(f"FAILED {file} {' '.join(options)} -j {jobs}: {', '.join(keys)} differ")
    return passed, failed, executions


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--count", type=int, default=40, help="random kernels")
    parser.add_argument("--every", type=int, default=1, help="of the others every Nth")
    options = parser.parse_args()
    warpsan = str(pathlib.Path(options.warpsan).resolve())
    kept = [str(file) for pattern in KEPT for file in sorted(ROOT.glob(pattern))][::options.every]
    results = [compare(warpsan, kept, ())]
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / f"k{seed}.ptx" for seed in range(options.count)]
        for seed, file in enumerate(files):
            file.write_text(Kernel(seed).text())
        results += [compare(warpsan, [str(file) for file in files], mode) for mode in MODES]
    passed, failed, executions = map(sum, zip(*results))
    print(f"{executions} executions compared")
    finish(passed, failed)


if __name__ == "__main__":
    main()
