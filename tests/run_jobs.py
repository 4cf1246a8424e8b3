#!/usr/bin/env python3
"""`warpsan run -j N` prints what `-j 1` does, whatever N is, also of kernels that race.

usage: run_jobs.py WARPSAN [--count N] [--first SEED] [NAME...]     only cases whose path contains a NAME

Kernels are the cases of tests/cases and examples/kernels, as .ptx; N small random ones of run_race_oracle.py; and
N large random ones, in which many blocks write and read a few places, plainly or by atomics, and go by what they read.
Text, JSON and the contents of the buffers are compared.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import tempfile

import run_race_oracle
from run_cases import own_cases
from runner import run_cases

ROOT = pathlib.Path(__file__).resolve().parents[1]
JOBS = (2, 4)
TIMEOUT_SECONDS = 120
LOOPS = 5
# The end of what never ends, and of what takes long; counted between rounds, and so the same whatever the jobs are.
LIMITS = ["--runs", "2", "--max-instructions", "2000000"]


def make_large_kernel(seed):
    """12 blocks of 64 threads; each goes round a loop of random accesses to places that depend on what it read."""
    rng = random.Random(seed)
    body = []
    for _ in range(rng.choice((2, 4, 6))):
        body += ["and.b32 %r4, %r3, 15;", "mul.wide.u32 %rd2, %r4, 4;", "add.u64 %rd3, %rd1, %rd2;"]
        body.append(rng.choice((
            "st.global.u32 [%rd3], %r3;", "ld.global.u32 %r5, [%rd3];",
            "atom.global.add.u32 %r5, [%rd3], %r3;", "ld.relaxed.gpu.global.u32 %r5, [%rd3];",
            "st.relaxed.gpu.global.u32 [%rd3], %r3;", "bar.sync 0;")))
        body.append(rng.choice(("add.u32 %r3, %r3, %r5;", "mad.lo.u32 %r3, %r3, 5, %r5;")))
    return "\n".join([
        ".version 8.6", ".target sm_90", ".address_size 64",
        "// launch: kernel=k grid=12 block=64 args=x:u32[16]=0",
        f"// final: x[{rng.randrange(16)}] < {rng.choice((1, 1 << 31, (1 << 32) - 1))}",
        ".visible .entry k(.param .u64 k_0)", "{", ".reg .pred %p<4>;", ".reg .b32 %r<12>;",
        ".reg .b64 %rd<8>;", "ld.param.u64 %rd1, [k_0];", "mov.u32 %r1, %ctaid.x;",
        "mov.u32 %r2, %tid.x;", "mad.lo.u32 %r3, %r1, 64, %r2;", "mov.u32 %r5, 0;",
        "mov.u32 %r6, 0;", "LOOP:", *body, "add.u32 %r6, %r6, 1;",
        f"setp.lt.u32 %p1, %r6, {LOOPS};", "@%p1 bra LOOP;", "ret;", "}", ""])


def buffer_of(text):
    """The first buffer that the launch line names."""
    found = re.search(r"^\s*//\s*launch:.*args=(?:\w+=)?(\w+):\w+\[", text, re.M)
    return found and found.group(1)


def ask(command):
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", timeout=TIMEOUT_SECONDS)
    output = re.sub(r'"seconds": [0-9.e-]+|[0-9.]+ s\b', "", done.stdout)
    return f"{output}{done.stderr}exit {done.returncode}\n"


def outputs(command, jobs, buffer, folder):
    """All that is printed and dumped with so many jobs."""
    dumped = pathlib.Path(folder) / f"{jobs}.bytes"
    dumped.unlink(missing_ok=True)
    dump = ["--dump", f"{buffer}={dumped}"] if buffer else []
    text = ask([*command, "-j", str(jobs), *dump])
    json = ask([*command, "-j", str(jobs), "--format", "json"])
    return text, json, dumped.read_bytes() if dumped.exists() else b""


def compare(command, source):
    buffer = buffer_of(source)
    with tempfile.TemporaryDirectory() as folder:
        expected = outputs(command, 1, buffer, folder)
        for jobs in JOBS:
            found = outputs(command, jobs, buffer, folder)
            for name, one, other in zip(("text", "JSON", f"buffer '{buffer}'"), expected, found):
                if one != other:
                    return f"{name} differs with -j {jobs}:\n{one}\n{other}"
    return None


class Kernel:
    """A random kernel: its text, in a file while it is compared."""

    def __init__(self, name, text):
        self.name, self.text = name, text

    def __str__(self):
        return self.name

    def compare(self, warpsan):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "kernel.ptx"
            file.write_text(self.text)
            return compare([warpsan, "run", *LIMITS, str(file)], self.text)


def compare_case(warpsan, case):
    if isinstance(case, Kernel):
        return case.compare(warpsan)
    source = case.launch_file or case.file
    launch = ["--launch-from", str(source)] if case.launch_file else []
    level = case.header().get("level", "ptx")
    command = [warpsan, "run", *LIMITS, "--level", level, *launch, str(case.file)]
    return compare(command, source.read_text(errors="replace"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=1)
    given = parser.parse_args()
    warpsan = os.path.abspath(given.warpsan)
    cases = [case for case in own_cases(True) if case.file.suffix == ".ptx"]
    for seed in range(given.first, given.first + given.count):
        cases.append(Kernel(f"small-{seed}", run_race_oracle.make_kernel(seed)))
        cases.append(Kernel(f"large-{seed}", make_large_kernel(seed)))
    if given.names:
        cases = [case for case in cases if any(name in str(case) for name in given.names)]
    run_cases(cases, lambda case: compare_case(warpsan, case))


if __name__ == "__main__":
    main()
