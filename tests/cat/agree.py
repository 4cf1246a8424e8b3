#!/usr/bin/env python3
"""Runs litmus tests under each textbook model here and under the built-in model that it describes.

usage: agree.py WARPSAN

Both must give the same verdicts, states and numbers of executions: on tests/litmus, and on the public
suites where WARPSAN_SHARED (default: ../shared) has them.
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from runner import Skip, run_cases

SHARED = pathlib.Path(os.environ.get("WARPSAN_SHARED", ROOT.parent / "shared"))
OWN = ROOT / "tests" / "litmus"
PTX = [SHARED / "suites" / "dat3m" / "ptx" / name
       for name in ("Manual", "Memalloy", "Barrier", "CADP/2_threads_2_instructions")]
X86 = [SHARED / "suites" / "dat3m" / "x86"]
CASES = {
    "sc_herd.cat": ("sc", X86),
    "tso_herd.cat": ("tso", X86),
    "tso_dat3m.cat": ("tso", X86),
    "ptx60_dat3m.cat": ("ptx60", [OWN]),
    "ptx_dat3m.cat": ("ptx", [OWN]),
    "rc11_scoped.cat": ("cuda", [OWN]),
    "ptx60_dat3m.cat on the suite": ("ptx60", PTX),
    "ptx_dat3m.cat on the suite": ("ptx", PTX),
    "rc11_scoped.cat on the suite": ("cuda", PTX),
}
TIMEOUT_SECONDS = 250


def results(warpsan, model, folders):
    command = [warpsan, "check", "--model", str(model), "--property", "program", "--no-witness",
               "--format", "json", *map(str, folders)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True,
                          timeout=TIMEOUT_SECONDS)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if not lines:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr}")
    return {line["input"]: [line[key] for key in ("complete", "holds", "executions", "states")]
            for line in lines}


def run_case(warpsan, case):
    builtin, folders = CASES[case]
    missing = [str(folder) for folder in folders if not folder.is_dir()]
    if missing:
        raise Skip(f"there is no {missing[0]}")
    textbook = ROOT / "tests" / "cat" / case.split()[0]
    expected, actual = (results(warpsan, model, folders) for model in (builtin, textbook))
    lines = [f"{name}: {builtin} {expected[name]}, {case} {actual.get(name)}"
             for name in expected if expected[name] != actual.get(name)]
    return "\n".join(lines[:10])


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    run_cases(list(CASES), lambda case: run_case(warpsan, case))


if __name__ == "__main__":
    main()
