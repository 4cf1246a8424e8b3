#!/usr/bin/env python3
"""Runs every script tests/cli/*.sh; each tests one behaviour of the command.

usage: run_cli.py WARPSAN [NAME...]     only scripts whose path contains a NAME

A script runs in an empty folder of its own with $WARPSAN, the command, and $WARPSAN_ROOT, the
project's root, set. It passes with status 0; with status 77 it is skipped, and the last line that it
printed says why; with any other it fails, and what it printed is shown.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from runner import SKIPPED, Skip, run_cases

ROOT = pathlib.Path(__file__).resolve().parents[1]
TIMEOUT_SECONDS = 120


def run_script(warpsan, script):
    environment = {**os.environ, "WARPSAN": warpsan, "WARPSAN_ROOT": str(ROOT), "LC_ALL": "C"}
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(["sh", str(ROOT / script)], cwd=folder, env=environment,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            return f"no end after {TIMEOUT_SECONDS} s"
    output = done.stdout.decode(errors="backslashreplace")
    if done.returncode == SKIPPED:
        raise Skip((output.splitlines() or ["it does not say why"])[-1])
    return f"{output}exit {done.returncode}" if done.returncode else None


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    scripts = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "tests/cli").glob("*.sh"))]
    wanted = sys.argv[2:]
    chosen = [s for s in scripts if not wanted or any(name in s for name in wanted)]
    run_cases(chosen, lambda script: run_script(warpsan, script))


if __name__ == "__main__":
    main()
