#!/usr/bin/env python3
"""Holds the race detector's ways of looking at whole rows of lanes against its way of looking at single lanes.

usage: run_row_oracle.py WARPSAN [--count N] [--first SEED]

Random kernels of several warps and blocks go through phases between block barriers, in which threads read shared and
global memory at will, or write places of their own, or count by atomics; in some of them one more access is made
anywhere. In others all threads write, signal by fences and an atomic, and those that come late read what others wrote. `run --all-races` looks at each lane's access by itself and forgets none: what `run` finds without it, by
rows, must be among that, and must be something if that is.
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

from runner import finish

SHARED, GLOBAL = 512, 16384  # words
SIZES = ("u32", "u32", "u32", "u64", "u16", "u8")
BYTES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}


class Kernel:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.threads = self.rng.choice((32, 64, 96, 128, 80))
        self.blocks = self.rng.choice((1, 2, 5, 24, 40))
        self.lines = []
        # Few accesses, of a table that blocks share: whether each reader is known can be told.
        self.is_small = self.rng.random() < 0.4
        # Counters, in phase after phase.
        self.is_counting = self.rng.random() < 0.5
        # The threads of all blocks count in rows of global memory.
        self.counts_in_rows = self.rng.random() < 0.3
        if self.is_small:
            self.blocks = self.rng.choice((2, 2, 3))
        if self.rng.random() < 0.3:
            self.blocks = min(self.blocks, 5)
            for _ in range(self.rng.randint(1, 2)):
                self.signal()
            return
        phases = self.rng.randint(2, 2 if self.is_small else 5)
        bug = self.rng.randrange(phases) if self.rng.random() < 0.6 else None
        if self.is_small:
            bug = self.rng.choice((0, 1, 1))
        self.has_bug = bug is not None
        for phase in range(phases):
            self.phase(phase == bug)
            self.lines.append("bar.sync 0;")
            if self.rng.random() < 0.1:
                # What they have read is covered by no later barrier.
                self.lines += [f"setp.ge.u32 %p, %t, {self.rng.randrange(1, self.threads)};", "@%p ret;"]

    def guard(self):
        kind = self.rng.randrange(8)
        if kind > 2:
            return ""
        source, bound = (("%t", self.threads), ("%l", 32), ("%b", self.blocks))[kind]
        relation = self.rng.choice(("lt", "ge", "eq", "ne"))
        self.lines.append(f"setp.{relation}.u32 %p, {source}, {self.rng.randrange(bound)};")
        return "@%p "

    def element(self, multiplier, block, offset, divisor, count):
        """Sets %i to (tid * multiplier + block index * block + offset) / divisor % count."""
        self.lines += [f"mul.lo.u32 %i, %t, {multiplier};", f"mad.lo.u32 %i, %b, {block}, %i;",
                       f"add.u32 %i, %i, {offset};", f"div.u32 %i, %i, {divisor};", f"rem.u32 %i, %i, {count};"]

    def address(self, space, half, size):
        base = {"shared": "%shared", "global": "%global"}[space]
        words = {"shared": SHARED, "global": GLOBAL}[space] // 2
        self.lines += [f"mul.wide.u32 %a, %i, {BYTES[size]};", f"add.u64 %a, %a, {base};"]
        return f"[%a+{half * words * 4}]"

    def anywhere(self, count):
        rng = self.rng
        if self.is_small:
            self.element(rng.choice((0, 1, 1, 1)), 0, rng.randrange(8), rng.choice((1, 1, 2)), rng.choice((count, 16)))
            return
        self.element(rng.choice((0, 1, 1, 1, 2, 3, 4)), rng.choice((0, 0, 1, self.threads, 7)), rng.randrange(64),
                     rng.choice((1, 1, 1, 2, 8, 16, 32)), rng.choice((count, count, 8, 16, 24)))

    def own(self):
        """An element that no other thread of the program, or of the block, has."""
        self.element(1, self.threads, 0, 1, GLOBAL)

    def access(self, operation, space, half, size, anywhere, by_one=False):
        guard = self.guard()
        if by_one:
            number = self.rng.randrange(self.threads * self.blocks)
            self.lines += [f"mad.lo.u32 %i, %b, {self.threads}, %t;", f"setp.eq.u32 %p, %i, {number};"]
            guard = "@%p "
        words = (SHARED if space == "shared" else GLOBAL) // 2 * 4 // BYTES[size]
        if anywhere:
            self.anywhere(words)
        elif space == "global":
            self.own()
        else:
            self.element(1, 0, 0, 1, words)
        place = self.address(space, half, size)
        register = "%v" if size == "u64" else "%r"
        if operation == "ld":
            self.lines.append(f"{guard}ld.{space}.{size} {register}, {place};")
        elif operation == "st":
            self.lines.append(f"{guard}st.{space}.{size} {place}, {register};")
        else:
            scope = self.rng.choice(("", "", ".cta"))
            self.lines.append(f"{guard}atom{scope}.{space}.add.u32 %r, {place}, 1;")

    def count_in_row(self):
        guard = self.guard()
        self.element(1, self.rng.choice((0, 0, self.threads, 8)), self.rng.choice((0, 0, 5)), 1, GLOBAL // 2)
        scope = self.rng.choice(("", "", "", "", ".sys", ".cta"))
        self.lines.append(f"{guard}atom{scope}.global.add.u32 %r, {self.address('global', 1, 'u32')}, 1;")

    def fence(self):
        if self.rng.random() < 0.5:
            self.lines.append(f"fence.{self.rng.choice(('sc', 'acq_rel'))}.{self.rng.choice(('gpu', 'gpu', 'cta'))};")

    def signal(self):
        """Threads write words of their own and count; those that find a large count read anywhere."""
        rng, threads = self.rng, self.threads * self.blocks
        self.access("st", "global", 0, "u32", False)
        self.fence()
        guard = self.guard()
        order, scope = rng.choice(("relaxed", "acq_rel", "acq_rel", "release")), rng.choice(("gpu", "gpu", "gpu", "cta"))
        self.lines.append(f"{guard}atom.{order}.{scope}.global.add.u32 %r, [%global+{4 * GLOBAL + 4 * rng.randrange(2)}], 1;")
        self.fence()
        if rng.random() < 0.3:
            self.lines.append("bar.sync 0;")
        self.lines.append(f"setp.ge.u32 %q, %r, {rng.choice((0, threads // 2, threads - 1, threads - 1, 2 * threads))};")
        self.element(rng.choice((0, 1)), rng.choice((0, self.threads)), rng.randrange(threads), 1, threads)
        place = self.address("global", 0, "u32")
        self.lines.append(f"@%q ld.global.u32 %r, {place};" if rng.random() < 0.7 else f"@%q st.global.u32 {place}, %r;")

    def phase(self, has_bug):
        """Each half of a memory is read, or written by owners, or counted in, throughout the phase."""
        rng = self.rng
        uses = {("shared", half): rng.choice(("ld", "ld", "st", "atom")) for half in (0, 1)}
        if self.is_counting:
            uses["shared", 0] = rng.choice(("atom", "atom", "ld"))
        uses["global", 0] = "ld"
        uses["global", 1] = rng.choice(("st", "own"))
        sizes = {key: rng.choice(SIZES) for key in uses}
        places = [("global", 0)] if self.is_small else list(uses)
        if self.is_small:
            sizes["global", 0] = "u32"
        for _ in range(rng.randint(1, 2) if self.is_small else rng.randint(2, 8)):
            space, half = rng.choice(places)
            use, size = uses[space, half], sizes[space, half]
            if (space, half) == ("global", 1) and self.counts_in_rows:
                self.count_in_row()
            elif use == "own":
                self.access(rng.choice(("ld", "st")), space, half, "u32", False)
            elif space == "global" and half == 1:
                self.access("st", space, half, "u32", False)
            else:
                self.access(use, space, half, "u32" if use == "atom" else size, use != "st")
        if has_bug:
            space, half = ("shared", 0) if self.is_counting and not self.is_small else rng.choice(places)
            if self.counts_in_rows and not self.is_small and rng.random() < 0.7:
                space, half = "global", 1
            self.access("st" if self.is_small else rng.choice(("ld", "st", "atom")), space, half, "u32", True, rng.random() < 0.7)

    def text(self):
        body = "\n  ".join(self.lines)
        return f"""
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 memory)
{{
  .reg .pred %p, %q;
  .reg .b32 %t, %b, %l, %i, %r;
  .reg .b64 %a, %shared, %global, %v;
  .shared .align 16 .b8 own[{SHARED * 4 + 64}];
  ld.param.u64 %global, [memory];
  cvta.to.global.u64 %global, %global;
  mov.u64 %shared, own;
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  and.b32 %l, %t, 31;
  mov.u32 %r, 0;
  mov.u64 %v, 0;
  {body}
  ret;
}}
"""

    def launches(self):
        one = f"kernel=k grid={self.blocks} block={self.threads} args=memory:u32[{GLOBAL + 64}]=0"
        return ["--launch", one] + (["--launch", one] if self.rng.random() < 0.4 else [])


def pairs(warpsan, path, launches, seed, more):
    command = [warpsan, "run", "--format", "json", "--seed", str(seed), *more, *launches, path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    found = set()
    if done.returncode not in (0, 1):
        raise ValueError(done.stdout + done.stderr)
    for line in done.stdout.splitlines():
        for finding in json.loads(line).get("findings", []):
            if finding["rule"] in ("data-race", "torn-access"):
                found.add((finding["line"], tuple(other["line"] for other in finding["related"][:1])))
    return found


def check(warpsan, seed):
    kernel = Kernel(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = str(pathlib.Path(folder) / "kernel.ptx")
        pathlib.Path(path).write_text(kernel.text())
        launches = kernel.launches()
        try:
            rows = pairs(warpsan, path, launches, seed, [])
            lanes = pairs(warpsan, path, launches, seed, ["--all-races"])
        except (ValueError, subprocess.TimeoutExpired) as error:
            return False, f"seed {seed}: {error}", None
    extra = rows - lanes
    if kernel.counts_in_rows:
        # Which counts a thread has observed is known of the newest ones: more of them may be said to race with an
        # access that does race with some.
        extra = {pair for pair in extra if not any(pair[1] == other[1] for other in lanes)}
    if not extra and bool(rows) == bool(lanes):
        return True, None, bool(rows)
    return False, f"seed {seed}: by rows {sorted(rows)}, by lanes {sorted(lanes)}\n{kernel.text()}", None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    passed, failed, racy = 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        seeds = range(options.first, options.first + options.count)
        for good, message, has_races in pool.map(lambda seed: check(options.warpsan, seed), seeds):
            passed, failed, racy = passed + good, failed + (not good), racy + bool(has_races)
            if message:
                print(message)
    # Both kinds are among them, or the test says little.
    if not failed and not options.count / 10 < racy < options.count * 9 / 10:
        print(f"{racy} of {options.count} kernels have races")
        failed += 1
    return finish(passed, failed)


if __name__ == "__main__":
    sys.exit(main())
