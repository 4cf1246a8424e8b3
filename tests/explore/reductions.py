#!/usr/bin/env python3
"""Random kernels, explored with the reductions and without them (--explore-all): the same findings.

usage: reductions.py WARPSAN [--long] [--count N] [--seed S] [--only S] [-v]

Threads poll flags (also a bounded number of times, and by atomics that change nothing), pass data on,
take tickets and locks, count by compare-and-swap, arrive at counters, and trap on what they read, so that outcomes show as findings.
A kernel that one of the two searches does not complete is not compared.

With --long threads poll up to ten times before they give up, and the two searches differ in whether --unroll lets
them: if not, the rounds between the first and the last ones are skipped.
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HEAD = """.version 8.3
.target sm_90
.address_size 64
.file 1 "random.cu"
.visible .entry k(.param .u64 pm, .param .u64 po)
{
  .reg .pred %p<99>;
  .reg .b32 %r<99>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [pm];
  ld.param.u64 %rd2, [po];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.s32 %r4, %r1, %r3, %r2;
"""
LOADS = ["ld.relaxed.gpu.u32", "ld.acquire.gpu.u32", "ld.volatile.u32", "ld.relaxed.gpu.u32", "ld.acquire.gpu.u32"]
STORES = ["st.relaxed.gpu.u32", "st.release.gpu.u32", "st.volatile.u32", "st.release.gpu.u32"]
FENCES = ["fence.acq_rel.gpu;", "fence.sc.gpu;", "membar.gl;", "fence.acq_rel.cta;"]


class Kernel:
    def __init__(self, seed, counts=(2, 3)):
        self.counts = counts
        self.random = random.Random(seed)
        self.atomics = self.random.choice([0.1, 0.25, 0.9])  # part of the polls
        self.lines = []
        self.register, self.predicate, self.label, self.line = 5, 1, 0, 1

    def say(self, text, new_line=True):
        self.line += new_line
        self.lines.append(f"  .loc 1 {self.line} 1\n  {text}")

    def fresh(self):
        self.register += 1
        return f"%r{self.register}"

    def test(self):
        self.predicate += 1
        return f"%p{self.predicate}"

    def place(self, name=None):
        """Word 0: data, 1: flag, 2: counter, 3: lock, 4: another flag."""
        return f"[%rd1+{4 * (self.random.choice(range(5)) if name is None else name)}]"

    # --- pieces

    def store(self):
        self.say(f"{self.random.choice(STORES)} {self.place(self.random.choice([0, 1, 1, 4]))}, "
                 f"{self.random.choice([1, 1, 2])};")

    def plain(self):
        if self.random.random() < 0.5:
            self.say(f"st.global.u32 {self.place(0)}, {self.random.choice([1, 2])};")
        else:
            got = self.fresh()
            self.say(f"ld.global.u32 {got}, {self.place(0)};")
            self.trap(got)

    def load(self):
        got = self.fresh()
        self.say(f"{self.random.choice(LOADS)} {got}, {self.place(self.random.choice([0, 1, 2, 4]))};")
        if self.random.random() < 0.6:
            self.trap(got)

    def trap(self, got):
        p = self.test()
        self.say(f"setp.eq.s32 {p}, {got}, {self.random.choice([0, 1, 2, 3])};")
        self.say(f"@{p} trap;", True)

    def fence(self):
        self.say(self.random.choice(FENCES))

    def poll_text(self, got, place):
        if self.random.random() < self.atomics:
            if self.random.random() < 0.3:
                return (f"atom.{self.random.choice(['', 'acquire.gpu.', 'acq_rel.gpu.'])}global.exch.b32 {got}, "
                        f"{place}, {self.random.choice([0, 0, 1])};")
            return f"atom.{self.random.choice(['', 'acquire.gpu.', 'acq_rel.gpu.'])}global.add.u32 {got}, {place}, 0;"
        return f"{self.random.choice(LOADS)} {got}, {place};"

    def poll(self):
        self.label += 1
        got, p, place = self.fresh(), self.test(), self.place(self.random.choice([1, 1, 2, 4]))
        wanted = f"setp.{self.random.choice(['lt', 'lt', 'ne'])}.s32 {p}, {got}, {self.random.choice([1, 1, 2])};"
        text = self.poll_text(got, place)
        way = self.random.random()
        if way < 0.4:
            self.lines.append(f"L{self.label}:")
            self.say(text)
            self.say(wanted)
            self.say(f"@{p} bra L{self.label};")
        elif way < 0.7:
            count, more = self.fresh(), self.test()
            self.say(f"mov.u32 {count}, 0;")
            self.lines.append(f"L{self.label}:")
            self.say(text)
            self.say(wanted)
            self.say(f"@!{p} bra E{self.label};")
            self.say(f"add.s32 {count}, {count}, 1;")
            self.say(f"setp.lt.s32 {more}, {count}, {self.random.choice(self.counts)};")
            self.say(f"@{more} bra L{self.label};")
            if self.random.random() < 0.5:
                self.say("exit;")
            self.lines.append(f"E{self.label}:")
        else:
            self.line += 1
            for _ in range(self.random.choice([2, 3])):
                self.say(text, False)
                self.say(wanted, False)
                self.say(f"@!{p} bra E{self.label};", False)
            if self.random.random() < 0.4:
                self.say("exit;")
            self.lines.append(f"E{self.label}:")
        if self.random.random() < 0.3:
            self.trap(got)

    def arrive(self):
        if self.random.random() < 0.5:
            self.fence()
        got = self.fresh()
        order = self.random.choice(["", "", "acq_rel.gpu.", "release.gpu."])
        self.say(f"atom.{order}global.add.u32 {got}, {self.place(2)}, 1;")
        way = self.random.random()
        if way < 0.4:
            return
        if way < 0.6:
            p, q = self.test(), self.test()
            self.say(f"setp.ne.s32 {p}, {got}, 1;")
            self.label += 1
            self.say(f"@{p} bra E{self.label};")
            (self.load if self.random.random() < 0.5 else self.store)()
            self.lines.append(f"E{self.label}:")
        else:
            self.trap(got)

    def barrier(self):
        """All threads arrive at the counter and wait for all."""
        self.label += 1
        got, p = self.fresh(), self.test()
        self.fence()
        self.say(f"atom.global.add.u32 %r98, {self.place(2)}, 1;")
        self.lines.append(f"L{self.label}:")
        self.say(self.poll_text(got, self.place(2)))
        self.say(f"setp.lt.s32 {p}, {got}, {self.threads};")
        self.say(f"@{p} bra L{self.label};")
        self.fence()

    def lock(self):
        self.label += 1
        got, p = self.fresh(), self.test()
        text = self.random.choice([f"atom.acquire.gpu.global.cas.b32 {got}, {self.place(3)}, 0, 1;",
                                   f"atom.global.cas.b32 {got}, {self.place(3)}, 0, 1;",
                                   f"atom.acquire.gpu.global.exch.b32 {got}, {self.place(3)}, 1;"])
        self.lines.append(f"L{self.label}:")
        self.say(text)
        self.say(f"setp.ne.s32 {p}, {got}, 0;")
        self.say(f"@{p} bra L{self.label};")
        if self.random.random() < 0.5:
            self.fence()
        self.plain()
        if self.random.random() < 0.5:
            self.fence()
        self.say(self.random.choice([f"atom.global.exch.b32 %r98, {self.place(3)}, 0;",
                                     f"st.release.gpu.u32 {self.place(3)}, 0;"]))

    def update(self):
        """Adds by a compare-and-swap, and tries again with what that has found; or takes one of what there is."""
        self.label += 1
        old, new, got, p, q = self.fresh(), self.fresh(), self.fresh(), self.test(), self.test()
        place = self.place(self.random.choice([2, 2, 4]))
        first = self.random.random()
        if first < 0.6:
            self.say(f"{self.random.choice(LOADS)} {old}, {place};")
        elif first < 0.8:
            self.say(f"mov.u32 {old}, 0;")
        else:
            self.say(f"ld.global.u32 {old}, {place};")
        self.lines.append(f"L{self.label}:")
        takes = self.random.random() < 0.3
        if takes:
            self.say(f"setp.eq.s32 {q}, {old}, 0;")
            self.say(f"@{q} bra E{self.label};")
        self.say(f"add.s32 {new}, {old}, {-1 if takes else self.random.choice([1, 1, 2])};")
        order = self.random.choice(["", "relaxed.gpu.", "acquire.gpu.", "acq_rel.gpu.", "release.gpu."])
        self.say(f"atom.{order}global.cas.b32 {got}, {place}, {old}, {new};")
        self.say(f"setp.ne.s32 {p}, {got}, {old};")
        self.say(f"mov.u32 {old}, {got};")
        self.say(f"@{p} bra L{self.label};")
        self.lines.append(f"E{self.label}:")
        if self.random.random() < 0.6:
            self.trap(old)

    # --- the whole

    def only(self, piece):
        """A piece that some threads run."""
        p = self.test()
        self.label += 1
        label = self.label
        self.say(f"setp.{self.random.choice(['ne', 'eq', 'ge'])}.s32 {p}, %r4, {self.random.choice([0, 1])};")
        self.say(f"@{p} bra S{label};")
        piece()
        if self.random.random() < 0.4:
            self.random.choice([self.store, self.load, self.fence])()
        self.lines.append(f"S{label}:")

    def text(self):
        grid, block = self.random.choice([(2, 1), (3, 1), (1, 2), (2, 2), (1, 3)])
        self.threads = grid * block
        pieces = [self.store, self.plain, self.load, self.fence, self.poll, self.poll, self.arrive, self.arrive,
                  self.barrier, self.lock, self.store, self.update, self.update]
        for _ in range(self.random.choice([2, 3, 3, 4])):
            piece = self.random.choice(pieces)
            if piece != self.barrier and self.random.random() < 0.6:
                self.only(piece)
            else:
                piece()
        launch = f"// launch: kernel=k grid={grid} block={block} args=m:u32[8]=0,o:u32[8]=0\n"
        return launch + HEAD + "\n".join(self.lines) + "\n  ret;\n}\n"


def findings(result):
    """What is found at which lines. Which of two racing accesses comes first says nothing, and the sub-rule
    is what the execution suggests that was met first."""
    found = set()
    for f in result["findings"]:
        lines = [f.get("line")] + [r["line"] for r in f["related"][:1] if f["rule"] in ("data-race", "torn-access")]
        found.add((f["rule"], *sorted(lines)))
    return sorted(found, key=str)


def check(warpsan, file, *more):
    command = [warpsan, "check", "--format", "json", "--no-witness", "--timeout", "10", *more, file]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr}{done.stdout}")
    return json.loads(done.stdout.splitlines()[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    counts = (9, 10) if options.long else (2, 3)
    without = ("--unroll", "12") if options.long else ("--unroll", "6", "--explore-all")
    with_all = ("--unroll", "4") if options.long else ("--unroll", "6")
    seeds = [options.only] if options.only is not None else range(options.seed, options.seed + options.count)
    compared = differ = fewer = some = lacking = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            file = pathlib.Path(folder) / f"k{seed}.ptx"
            file.write_text(Kernel(seed, counts).text())
            full, reduced = check(options.warpsan, file, *without), check(options.warpsan, file, *with_all)
            if options.v:
                print(file.read_text())
                print("full", json.dumps(full), "\nreduced", json.dumps(reduced))
            if not full["complete"] or not reduced["complete"]:
                lacking += full["complete"]
                if full["complete"] and not options.long:
                    print(f"seed {seed}: complete only without the reductions: {reduced['incomplete']}")
                    differ += 1
                continue
            compared += 1
            fewer += reduced["executions"] < full["executions"]
            some += bool(full["findings"])
            if findings(full) != findings(reduced) or reduced["executions"] > full["executions"]:
                differ += 1
                print(f"seed {seed}: {full['executions']} executions, {findings(full)}\n"
                      f"      but  {reduced['executions']} executions, {findings(reduced)}")
    if lacking > len(seeds) // 20:  # polls by atomics that others may follow are not skipped
        print(f"{lacking} kernels are complete only if every round is explored")
        differ += 1
    print(f"{compared} of {len(seeds)} kernels compared, {fewer} with fewer executions, {some} with findings, "
          f"{differ} differ")
    return 1 if differ or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
