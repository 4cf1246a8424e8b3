#!/usr/bin/env python3
"""Holds `warpsan run --weak` against `check` on random small kernels.

usage: run_weak_oracle.py WARPSAN [--count N] [--first SEED] [--runs N]

The kernels are those of run_race_oracle.py, with a different value for each store, and with a buffer that gets
what each load has read. What a run leaves there, the model must allow: `check` has to find an execution that
violates the condition that the outcome does not exist.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from run_race_oracle import make_kernel
from runner import finish

LOAD = re.compile(r"^(@%p2 )?(?:ld|atom)\.\S+ (%r[23]), ")
STORE = re.compile(r"\], [56];")
FIRST_VALUE = 10


def observe(text):
    """Gives each store its own value, and each load an element of `out`; also returns how many there are."""
    lines, loads, value = [], 0, FIRST_VALUE
    for line in text.splitlines():
        if STORE.search(line):
            line = STORE.sub(f"], {value};", line)
            value += 10
        lines.append(line)
        load = LOAD.match(line)
        if load:
            lines.append(f"{load[1] or ''}st.global.u32 [%rd4+{4 * loads}], {load[2]};")
            loads += 1
    changed = "\n".join(lines) + "\n"
    changed = changed.replace("flags:u32[4]=0", f"flags:u32[4]=0,out:u32[{max(loads, 1)}]=777")
    changed = changed.replace(".param .u64 k_1)", ".param .u64 k_1, .param .u64 k_2)")
    return changed.replace("ld.param.u64 %rd3, [k_1];", "ld.param.u64 %rd3, [k_1];\nld.param.u64 %rd4, [k_2];"), loads


def outcomes_of(warpsan, file, runs, loads):
    found = set()
    dump = file.with_suffix(".out")
    for seed in range(1, runs + 1):
        done = subprocess.run([warpsan, "run", "--weak", "--no-races", "--seed", str(seed), "-q",
                               "--dump", f"out={dump}", str(file)], capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            return None, f"{done.stdout}{done.stderr}exit {done.returncode}"
        found.add(struct.unpack(f"<{loads}I", dump.read_bytes()[:4 * loads]))
    return found, None


def is_allowed(warpsan, file, outcome):
    condition = " && ".join(f"out[{i}]=={value}" for i, value in enumerate(outcome))
    done = subprocess.run([warpsan, "check", "--explore-races", "--no-witness", "--format", "json",
                           "--final", f"!({condition})", str(file)], capture_output=True, text=True, timeout=120)
    findings = json.loads(done.stdout)["findings"]
    return any(finding["rule"] in ("stale-value", "assert", "lost-update") for finding in findings)


def compare(warpsan, folder, seed, runs):
    text, loads = observe(make_kernel(seed))
    if not loads:
        return None, 0
    file = pathlib.Path(folder) / f"{seed}.ptx"
    file.write_text(text)
    found, error = outcomes_of(warpsan, file, runs, loads)
    if error:
        return f"{text}{error}", 0
    for outcome in sorted(found):
        if not is_allowed(warpsan, file, outcome):
            return f"{text}the model does not allow {outcome}", 0
    return None, len(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--runs", type=int, default=20)
    given = parser.parse_args()
    warpsan = str(pathlib.Path(given.warpsan).resolve())
    seeds = range(given.first, given.first + given.count)
    failed = outcomes = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        results = pool.map(lambda seed: compare(warpsan, folder, seed, given.runs), seeds)
        for seed, (text, count) in zip(seeds, results):
            outcomes += count
            if text:
                failed += 1
                print(f"FAILED seed {seed}\n{text}")
    print(f"{outcomes} outcomes")
    finish(given.count - failed, failed)


if __name__ == "__main__":
    main()
