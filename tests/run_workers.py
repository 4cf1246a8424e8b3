#!/usr/bin/env python3
"""`warpsan run -j 4` goes through every kernel that there is, and no sanitizer reports anything.

usage: run_workers.py WARPSAN [--every N] [--count N] [NAME...]

Of use with a warpsan built with -Db_sanitize=thread or address,undefined; one without them can fail by a crash, by
not ending, or by a status that is none of a run's. Kernels: those that an H200 has run (tests/h200), the cases of
tests/cases and examples/kernels and, where they are, of ../shared; and N large random ones that race, in which
workers come to the same bytes at the same time. Options: only every N-th kernel; only those whose path contains a NAME.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile

import run_jobs
from run_cases import own_cases
from runner import run_cases

ROOT = pathlib.Path(__file__).resolve().parents[1]
SHARED = pathlib.Path(os.environ.get("WARPSAN_SHARED") or ROOT / "../shared")
TIMEOUT_SECONDS = 300
OPTIONS = ["-j", "4", "--runs", "2", "--max-instructions", "4000000", "--memory", "2G"]
LIMITS = ("stopped after",)


class Kernel:
    def __init__(self, name, file, launch_file=None, level="ptx", text=None):
        self.name, self.file, self.launch_file, self.level, self.text = name, file, launch_file, level, text

    def __str__(self):
        return self.name


def recorded_kernels():
    for recorded in sorted((ROOT / "tests/h200").glob("*/*.h200")):
        is_own = recorded.parent.name == "kernels"
        file = recorded.with_suffix(".ptx") if is_own else SHARED / "ptx/triton" / f"{recorded.stem}.ptx"
        if file.is_file():
            yield Kernel(f"h200/{recorded.stem}", file, recorded.with_suffix(".cu" if is_own else ".launch"))


def case_kernels():
    for case in own_cases(True):
        if case.file.suffix == ".ptx":
            yield Kernel(case.name, case.file, case.launch_file, case.header().get("level", "ptx"))


def shared_kernels():
    for source in sorted((SHARED / "cases/cases").glob("*.cu")):
        file = SHARED / "cases/ptx" / f"{source.stem}.ptx"
        if file.is_file():
            yield Kernel(f"shared/{source.stem}", file, source)


def random_kernels(count):
    for seed in range(1, count + 1):
        yield Kernel(f"random/{seed}", "-", text=run_jobs.make_large_kernel(seed))


def run_kernel(warpsan, kernel):
    with tempfile.TemporaryDirectory() as folder:
        file = kernel.file
        if kernel.text:
            file = pathlib.Path(folder) / "kernel.ptx"
            file.write_text(kernel.text)
        launch = ["--launch-from", str(kernel.launch_file)] if kernel.launch_file else []
        command = [warpsan, "run", *OPTIONS, "--level", kernel.level, *launch, str(file)]
        try:
            done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  errors="replace", timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            return f"no end after {TIMEOUT_SECONDS} s"
    is_at_limit = done.returncode == 3 and any(limit in done.stdout for limit in LIMITS)
    if done.returncode not in (0, 1) and not is_at_limit:
        return f"{done.stdout}{done.stderr}exit {done.returncode}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    given = parser.parse_args()
    warpsan = os.path.abspath(given.warpsan)
    kernels = [*recorded_kernels(), *case_kernels(), *shared_kernels(), *random_kernels(given.count)]
    if given.names:
        kernels = [kernel for kernel in kernels if any(name in str(kernel) for name in given.names)]
    run_cases(kernels[::given.every], lambda kernel: run_kernel(warpsan, kernel))


if __name__ == "__main__":
    main()
