#!/usr/bin/env python3
"""Random kernels whose threads take numbers from shared counters and access slots by them, explored with one order
of the counters standing for all, and without (--explore-all): the same findings.

usage: slots.py WARPSAN [--count N] [--seed S] [--only S] [-v]

Slots are read by position behind a barrier, or too early; numbers are compared, passed on, and used as indices that
collide; counters are reset, and end up behind fences. Threads trap on what they find, so that outcomes show as
findings, as final conditions do. A kernel that --explore-all does not complete is not compared; the reduction has to
complete each that it does. Some are explored with the symmetry of threads, too.
"""
import argparse
import json
import pathlib
import random
import sys
import tempfile

from reductions import check, findings

HEAD = """.version 8.3
.target sm_90
.address_size 64
.file 1 "random.cu"
.visible .entry k(.param .u64 pc, .param .u64 px, .param .u64 po)
{
  .shared .align 4 .b8 buffer[64];
  .reg .pred %p<99>;
  .reg .b32 %r<99>;
  .reg .b64 %rd<99>;
  ld.param.u64 %rd1, [pc];
  ld.param.u64 %rd2, [px];
  ld.param.u64 %rd3, [po];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.s32 %r4, %r1, %r3, %r2;
"""


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.tickets, self.found = [], [], []
        self.register, self.address, self.predicate, self.label, self.line = 5, 4, 1, 0, 1

    def chance(self, part):
        return self.random.random() < part

    def say(self, text):
        self.line += 1
        self.lines.append(f"  .loc 1 {self.line} 1\n  {text}")

    def fresh(self):
        self.register += 1
        return f"%r{self.register}"

    def test(self):
        self.predicate += 1
        return f"%p{self.predicate}"

    def element(self, base, index, offset=0):
        """The address of a word of an array."""
        self.address += 1
        address = f"%rd{self.address}"
        self.say(f"mul.wide.{self.random.choice(['s32', 'u32'])} {address}, {index}, 4;")
        self.say(f"add.s64 {address}, {address}, {base};")
        return f"[{address}+{offset}]"

    # --- pieces

    def ticket(self):
        if self.chance(0.15):
            self.say(self.random.choice(["fence.acq_rel.gpu;", "membar.gl;"]))
        got = self.fresh()
        order = self.random.choice(["", "", "", "", "relaxed.gpu.", "acq_rel.gpu.", "relaxed.cta."])
        step = self.random.choice([1] * 12 + [2, -1])
        self.say(f"atom.{order}global.add.u32 {got}, [%rd1+{self.random.choice([0, 0, 0, 4])}], {step};")
        self.tickets.append(got)

    def some_ticket(self):
        if not self.tickets:
            self.ticket()
        return self.random.choice(self.tickets)

    def index(self):
        """A ticket, or what is computed from one."""
        ticket = self.some_ticket()
        if self.chance(0.75):
            return ticket
        got = self.fresh()
        way = self.random.choice(["add.s32 {}, {}, 1;", "sub.s32 {}, 7, {};", "and.b32 {}, {}, 7;", "and.b32 {}, {}, 1;",
                                  "shl.b32 {}, {}, 1;", "shr.u32 {}, {}, 1;", "mul.lo.s32 {0}, {1}, {1};"])
        self.say(way.format(got, ticket))
        return got

    def array(self):
        return self.random.choice(["%rd3", "%rd3", "%rd2"])

    def value(self):
        if self.found and self.chance(0.3):
            return self.random.choice(self.found)
        return self.random.choice(["%r4", "5", "7", self.some_ticket()] if self.chance(0.8) else ["0"])

    def put(self):
        index, value = self.index(), self.value()
        self.say(f"st.{self.random.choice([''] * 9 + ['relaxed.gpu.', 'volatile.'])}global.u32 "
                 f"{self.element(self.array(), index)}, {value};")

    def get(self):
        got = self.fresh()
        self.say(f"ld.global.u32 {got}, {self.element(self.array(), self.index())};")
        self.found.append(got)

    def by_position(self):
        """Reads or writes what may be a slot, by the thread's number."""
        index = self.random.choice(["%r4", "%r4", "0", "1"])
        if index != "%r4":
            moved = self.fresh()
            self.say(f"mov.u32 {moved}, {index};")
            index = moved
        place = self.element(self.array(), index, self.random.choice([0, 0, 0, 16]))
        if self.chance(0.35):
            self.say(f"st.global.u32 {place}, {self.value()};")
            return
        got = self.fresh()
        self.say(f"ld.{self.random.choice([''] * 6 + ['relaxed.gpu.'])}global.u32 {got}, {place};")
        self.found.append(got)

    def follow(self):
        """Uses what was found as an index."""
        if self.found:
            got = self.fresh()
            self.say(f"and.b32 {got}, {self.random.choice(self.found)}, 7;")
            self.say(f"st.global.u32 {self.element('%rd3', got, 32)}, 1;")

    def trap(self):
        p = self.test()
        what = self.random.choice(self.found + [self.some_ticket()])
        self.say(f"setp.{self.random.choice(['eq', 'gt', 'lt'])}.s32 {p}, {what}, "
                 f"{self.random.choice([0, 1, 2, 3, 5, 7, 8])};")
        self.say(f"@{p} trap;")

    def branch(self):
        self.label += 1
        label, p = self.label, self.test()
        self.say(f"setp.ge.s32 {p}, {self.some_ticket()}, {self.random.choice([1, 2, 3, 4, 8, 8])};")
        self.say(f"@{p} bra E{label};")
        self.random.choice([self.put, self.get, self.by_position])()
        self.lines.append(f"E{label}:")

    def total(self):
        got = self.fresh()
        self.barrier()
        self.say(f"ld.global.u32 {got}, [%rd1];")
        self.found.append(got)

    def barrier(self):
        self.say("bar.sync 0;")

    def reset(self):
        p = self.test()
        self.barrier()
        self.say(f"setp.ne.s32 {p}, %r2, 0;")
        self.label += 1
        self.say(f"@{p} bra R{self.label};")
        self.say("st.global.u32 [%rd1], 0;")
        self.lines.append(f"R{self.label}:")
        self.barrier()

    def flag(self):
        """One thread lets another go on."""
        self.label += 1
        label, p, q, got = self.label, self.test(), self.test(), self.fresh()
        self.say(f"setp.ne.s32 {p}, %r4, 0;")
        self.say(f"@{p} bra F{label};")
        self.say("st.release.gpu.global.u32 [%rd1+8], 1;")
        self.lines.append(f"F{label}:")
        self.say(f"setp.ne.s32 {q}, %r4, 1;")
        self.say(f"@{q} bra G{label};")
        self.lines.append(f"H{label}:")
        self.say(f"ld.acquire.gpu.global.u32 {got}, [%rd1+8];")
        self.say(f"setp.eq.s32 {p}, {got}, 0;")
        self.say(f"@{p} bra H{label};")
        self.lines.append(f"G{label}:")

    def only(self, piece):
        self.label += 1
        label, p = self.label, self.test()
        self.say(f"setp.{self.random.choice(['ne', 'eq', 'ge'])}.s32 {p}, %r4, {self.random.choice([0, 1, 2])};")
        self.say(f"@{p} bra S{label};")
        piece()
        self.lines.append(f"S{label}:")

    # --- the whole

    def text(self):
        grid, block = self.random.choice([(1, 3), (1, 4), (1, 4), (3, 1), (2, 2), (1, 2)])
        pieces = [self.put] * 6 + [self.get] * 3 + [self.by_position] * 4 + [self.barrier] * 4 + \
            [self.trap, self.trap, self.branch, self.follow, self.total, self.reset, self.flag, self.ticket]
        self.ticket()
        for _ in range(self.random.choice([2, 3, 4, 5, 6])):
            piece = self.random.choice(pieces)
            if piece not in (self.barrier, self.reset, self.flag) and self.chance(0.12):
                self.only(piece)
            else:
                piece()
        args = "c:u32[4]=0,x:u32[16]=iota,o:u32[16]=0"
        launch = [f"// launch: kernel=k grid={grid} block={block} args={args}"]
        if self.chance(0.4):
            launch.append("// final: " + self.random.choice(
                [f"c[0]=={grid * block}", "o[0]!=3", "o[0]+o[1]+o[2]+o[3]!=11", "o[1]<=o[2]", "o[8]==0"]))
        zero = "".join(f"  mov.u32 %r{r}, 0;\n" for r in range(6, 99))
        return "\n".join(launch) + "\n" + HEAD + zero + "\n".join(self.lines) + "\n  ret;\n}\n"


def kinds(result):
    """Which of the barriers at which threads meet is named first says nothing."""
    return sorted({found[:1] if found[0] == "barrier-divergence" else found for found in findings(result)}, key=str)


def compare(make, told):
    """The script: `make(seed).text()` is a kernel, `told(result)` what has to be the same with all orders."""
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    seeds = [options.only] if options.only is not None else range(options.seed, options.seed + options.count)
    compared = differ = fewer = some = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            file = pathlib.Path(folder) / f"k{seed}.ptx"
            file.write_text(make(seed).text())
            full = check(options.warpsan, file, "--explore-all", "--symmetry", "never")
            reduced = check(options.warpsan, file, *([] if seed % 3 else ["--symmetry", "always"]))
            if options.v:
                print(file.read_text())
                print("full", json.dumps(full), "\nreduced", json.dumps(reduced))
            if not full["complete"]:
                continue
            compared += 1
            fewer += reduced["executions"] < full["executions"]
            some += bool(full["findings"])
            if not reduced["complete"] or told(full) != told(reduced):
                differ += 1
                print(f"seed {seed}: {full['executions']} executions, {told(full)}\n"
                      f"      but  {reduced['executions']} executions, {told(reduced)} {reduced['incomplete']}")
    print(f"{compared} of {len(seeds)} kernels compared, {fewer} with fewer executions, {some} with findings, "
          f"{differ} differ")
    return 1 if differ or not fewer or not some else 0


if __name__ == "__main__":
    sys.exit(compare(Kernel, kinds))
