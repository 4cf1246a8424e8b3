#!/usr/bin/env python3
"""Kernels that are out for the process that runs them: `run`, `run -j 2` and `check` come to an end, in bounds.

usage: run_hostile.py WARPSAN [NAME...]     only files whose name contains a NAME

Each tests/hostile/NAME.ptx says by which statuses the commands end: `// ends: run 1, check 1|3`. Besides, none may
be killed by a signal, run on long after its --timeout, print more than a screen or two, or end with status 2 or 3
without a line that says why. Memory is bounded by --memory and, unless warpsan has the address sanitizer, which
takes all addresses, by a limit of the system that is to be left unreached.
"""
import os
import pathlib
import re
import resource
import subprocess
import sys

from runner import run_cases

ROOT = pathlib.Path(__file__).resolve().parent / "hostile"
TIMEOUT_SECONDS = 60  # for what has to stop after --timeout
OPTIONS = ["--timeout", "2", "--memory", "512M"]
ADDRESS_SPACE_BYTES = 3 << 30
MOST_LINES = 120
ENDS = re.compile(r"^// ends: run (\S+), check (\S+)$", re.M)
REASON = re.compile(r": error: |, incomplete: |out of memory")
COMMANDS = {"run": ["run"], "run -j 2": ["run", "-j", "2"], "check": ["check"]}


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))


def can_be_limited(warpsan):
    done = subprocess.run([warpsan, "version"], capture_output=True, preexec_fn=limit_memory)
    return done.returncode == 0


def judge(done, statuses):
    output = done.stdout + done.stderr
    if str(done.returncode) not in statuses:
        return f"expected exit {' or '.join(statuses)}, found {done.returncode}"
    if output.count("\n") > MOST_LINES:
        return f"{output.count(chr(10))} lines of output"
    if done.returncode > 1 and not REASON.search(output):
        return "no line says why"
    return None


def run_command(warpsan, words, file, statuses, limit):
    try:
        done = subprocess.run([warpsan, *words, *OPTIONS, str(file)], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=TIMEOUT_SECONDS, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return f"no end after {TIMEOUT_SECONDS} s"
    wrong = judge(done, statuses)
    return wrong and f"{wrong}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"


def run_file(warpsan, file, limit):
    ends = ENDS.search(file.read_text())
    if not ends:
        return "no line `// ends: run STATUS, check STATUS`"
    for name, words in COMMANDS.items():
        statuses = ends[2 if name == "check" else 1].split("|")
        wrong = run_command(warpsan, words, file, statuses, limit)
        if wrong:
            return f"{name}: {wrong}"
    return None


def main():
    warpsan, names = os.path.abspath(sys.argv[1]), sys.argv[2:]
    limit = limit_memory if can_be_limited(warpsan) else None
    files = [file for file in sorted(ROOT.glob("*.ptx")) if not names or any(name in file.name for name in names)]
    run_cases(files, lambda file: run_file(warpsan, file, limit))


if __name__ == "__main__":
    main()
