#!/usr/bin/env python3
"""Holds the race detector of `run` against `check` on random small kernels.

usage: run_race_oracle.py WARPSAN [--kind orders|barriers] [--count N] [--first SEED] [--runs N] [--options="-j 4"]     options of `run`

The pairs of lines that race in some execution (`check`) are those that race in one of many seeded runs
(`run --all-races`). Threads are at most four, in two blocks; they access two places and, for messages, flags,
plainly or by atomics of any order and scope, with fences of all kinds and block barriers. What is behind a flag
may depend on its value. A flag is written by one thread and read by later ones only, so that no outcome which
only a weak memory has decides what is executed. Kernels of the second kind are those of race_kernels.py.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import race_kernels
from runner import finish

TIMEOUT_SECONDS = 120
THREADS = 4  # two blocks of two
SCOPES = ("cta", "gpu", "gpu", "sys")
FENCES = ("fence.sc", "fence.acq_rel", "fence.acquire", "fence.release")


class Thread:
    """One thread's lines. Registers: %rd1 and %rd2 hold the places, %rd3 the flags."""

    def __init__(self, rng, number, flags):
        self.rng, self.number, self.flags = rng, number, flags
        self.lines, self.has_guard = [], False

    def place(self):
        return self.rng.choice(("%rd1", "%rd2"))

    def access(self, place, guard=""):
        scope = self.rng.choice(SCOPES)
        kind = self.rng.randrange(6)
        if kind == 0:
            return f"{guard}ld.global.u32 %r2, [{place}];"
        if kind == 1:
            return f"{guard}st.global.u32 [{place}], 5;"
        if kind == 2:
            return f"{guard}ld.{self.rng.choice(('relaxed', 'acquire'))}.{scope}.global.u32 %r2, [{place}];"
        if kind == 3:
            return f"{guard}st.{self.rng.choice(('relaxed', 'release'))}.{scope}.global.u32 [{place}], 6;"
        order = self.rng.choice(("relaxed", "acquire", "release", "acq_rel"))
        if kind == 4 and order in ("relaxed", "release"):
            return f"{guard}red.{order}.{scope}.global.add.u32 [{place}], 1;"
        return f"{guard}atom.{order}.{scope}.global.add.u32 %r2, [{place}], 1;"

    def fence(self):
        fence, scope = self.rng.choice(FENCES), self.rng.choice(SCOPES)
        self.lines.append(f"{fence}.{scope};")

    def write_flag(self):
        scope = self.rng.choice(SCOPES)
        order = self.rng.choice(("relaxed", "release", "release"))
        self.lines.append(f"st.{order}.{scope}.global.u32 [%rd3+{4 * self.number}], 1;")

    def read_flag(self):
        if self.number == 0 or self.has_guard:
            return
        self.has_guard = True
        scope, flag = self.rng.choice(SCOPES), self.rng.randrange(self.number)
        order = self.rng.choice(("relaxed", "acquire", "acquire"))
        self.lines.append(f"ld.{order}.{scope}.global.u32 %r3, [%rd3+{4 * flag}];")
        if self.rng.random() < 0.4:
            self.fence()
        self.lines.append("setp.ne.u32 %p2, %r3, 0;")
        self.lines.append(self.access(self.place(), "@%p2 "))

    def add(self, count, writes_flag):
        at = self.rng.randrange(count) if writes_flag else -1
        for i in range(count):
            choice = self.rng.random()
            if i == at:
                if self.rng.random() < 0.4:
                    self.fence()
                self.write_flag()
            elif choice < 0.15:
                self.fence()
            elif choice < 0.45:
                self.read_flag()
            else:
                self.lines.append(self.access(self.place()))


def make_kernel(seed):
    rng = random.Random(seed)
    threads = [Thread(rng, number, THREADS) for number in range(THREADS)]
    count = rng.choice((2, 3, 4))
    barriers = [rng.random() < 0.35, rng.random() < 0.2]
    for thread in threads:
        if thread.number >= count:
            continue
        thread.add(rng.choice((1, 2, 3)), rng.random() < 0.7)
    for block in range(2):
        if not barriers[block]:
            continue
        for thread in threads[2 * block:2 * block + 2]:
            thread.lines.insert(rng.randrange(len(thread.lines) + 1), "barrier.sync 0;")
    return text_of(threads)


def text_of(threads):
    lines = [".version 8.6", ".target sm_90", ".address_size 64",
             "// launch: kernel=k grid=2 block=2 args=x:u32[2]=0,flags:u32[4]=0",
             ".visible .entry k(.param .u64 k_0, .param .u64 k_1)", "{",
             ".reg .pred %p<8>;", ".reg .b32 %r<12>;", ".reg .b64 %rd<8>;",
             "ld.param.u64 %rd1, [k_0];", "ld.param.u64 %rd3, [k_1];", "add.u64 %rd2, %rd1, 4;",
             "mov.u32 %r8, %ctaid.x;", "mov.u32 %r9, %tid.x;", "mad.lo.u32 %r10, %r8, 2, %r9;"]
    for thread in threads:
        lines += [f"setp.eq.u32 %p{thread.number + 3}, %r10, {thread.number};",
                  f"@%p{thread.number + 3} bra T{thread.number};"]
    lines.append("ret;")
    for thread in threads:
        lines += [f"T{thread.number}:", *thread.lines, "ret;"]
    return "\n".join([*lines, "}", ""])


def pairs(result):
    found = set()
    for finding in result["findings"]:
        if finding["rule"] in ("data-race", "torn-access"):
            found.add(tuple(sorted((finding["line"], finding["related"][0]["line"]))))
    return found


def ask(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return None, f"no end after {TIMEOUT_SECONDS} s"
    results = [json.loads(line) for line in done.stdout.splitlines()]
    if len(results) != 1 or done.returncode not in (0, 1):
        return None, f"{done.stdout}{done.stderr}exit {done.returncode}"
    return pairs(results[0]), None


def compare(warpsan, folder, seed, make, runs, options):
    file = pathlib.Path(folder) / f"{seed}.ptx"
    text = make(seed)
    file.write_text(text)
    common = ["--format", "json", "--no-witness", str(file)]
    expected, error = ask([warpsan, "check", "--property", "race", "--explore-races", *common])
    if error:
        return f"check: {error}"
    found = set()
    for schedule, count in (("random", runs), ("pct", runs), ("random", 30 * runs), ("pct", 30 * runs)):
        more, error = ask([warpsan, "run", "--all-races", "--schedule", schedule,
                           "--runs", str(count), *options, *common])
        if error:
            return f"run: {error}"
        found |= more
        if found == expected:
            return None
        if found - expected:
            break
    lines = text.splitlines()
    wrong = [(name, pair) for name, some in (("only by run", found - expected),
                                             ("only by check", expected - found))
             for pair in sorted(some)]
    return text + "".join(f"{name}: line {a} `{lines[a - 1]}` and line {b} `{lines[b - 1]}`\n"
                          for name, (a, b) in wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--kind", choices=("orders", "barriers"), default="orders")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--options", default="")
    given = parser.parse_args()
    warpsan = str(pathlib.Path(given.warpsan).resolve())
    make = make_kernel if given.kind == "orders" else race_kernels.make_kernel
    seeds = range(given.first, given.first + given.count)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        texts = pool.map(lambda s: compare(warpsan, folder, s, make, given.runs, given.options.split()), seeds)
        for seed, text in zip(seeds, texts):
            if text:
                failed += 1
                print(f"FAILED seed {seed}\n{text}")
    finish(given.count - failed, failed)


if __name__ == "__main__":
    main()
