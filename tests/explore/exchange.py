#!/usr/bin/env python3
"""Random kernels whose threads differ in their numbers at most, explored with and without use of that
(--symmetry always and never): the same findings.

usage: exchange.py WARPSAN [--count N] [--seed S] [--only S] [-v]

All threads run all pieces of reductions.py; some kernels also do what makes threads differ: they store
their number, pass it on, go another way by it, use memory of their own or of a neighbour. Final conditions look at
common memory and at what threads have for themselves. A kernel that is not complete without the
reduction is not compared.
"""
import argparse
import json
import pathlib
import random
import sys
import tempfile

from reductions import HEAD, Kernel, check, findings


class Exchangeable(Kernel):
    def own(self, shift=0):
        """Address register of the thread's word of `o`, or of its neighbour's."""
        index, address = self.fresh(), f"%q{self.random.randrange(50)}"
        self.say(f"add.s32 {index}, %r4, {shift};")
        self.say(f"rem.u32 {index}, {index}, {self.threads};")
        self.say(f"mad.wide.u32 {address}, {index}, 4, %rd2;")
        return f"[{address}]"

    def observe(self):
        got = self.fresh()
        kind = self.random.choice(["ld.relaxed.gpu.u32", "ld.acquire.gpu.u32", "atom.global.add.u32",
                                   "atom.global.exch.b32", "atom.acq_rel.gpu.global.add.u32"])
        more = ", 1" if kind.startswith("atom") else ""
        self.say(f"{kind} {got}, {self.place(self.random.choice([0, 1, 2, 4]))}{more};")
        return got

    def keep(self):
        """What is seen goes where only the thread, or nobody, looks."""
        got = self.observe()
        self.say(f"st.global.u32 {self.own()}, {got};")

    def keep_number(self):
        where = self.own()
        if self.random.random() < 0.5:
            got = self.observe()
            self.say(f"add.s32 {got}, {got}, %r4;")
            self.say(f"st.global.u32 {where}, {got};")
        else:
            self.say(f"st.global.u32 {where}, %r4;")

    def take_back(self):
        got = self.fresh()
        self.say(f"ld.global.u32 {got}, {self.own()};")
        way = self.random.random()
        if way < 0.4:
            self.trap(got)
        elif way < 0.7:
            self.say(f"st.relaxed.gpu.u32 {self.place(1)}, {got};")

    def look_aside(self):
        got = self.fresh()
        self.say(f"ld.relaxed.gpu.u32 {got}, {self.own(1)};")
        if self.random.random() < 0.5:
            self.trap(got)

    def gather(self):
        """All leave something, and who comes after all looks at it."""
        self.random.choice([self.keep_number, self.keep_number, self.keep])()
        if self.random.random() < 0.7:
            self.barrier()
            label = None
        else:
            got, p = self.fresh(), self.test()
            self.label += 1
            label = self.label
            if self.random.random() < 0.8:
                self.say("fence.acq_rel.gpu;")
            self.say(f"atom.global.add.u32 {got}, [%rd1+{4 * self.random.choice([2, 5, 5])}], 1;")
            self.say(f"setp.ne.s32 {p}, {got}, {self.threads - self.random.choice([1, 1, 1, 2])};")
            self.say(f"@{p} bra G{label};")
            self.say("fence.acq_rel.gpu;")
        for _ in range(self.random.choice([1, 2])):
            got = self.fresh()
            self.say(f"ld.global.u32 {got}, [%rd2+{4 * self.random.randrange(self.threads)}];")
            self.random.choice([lambda: self.trap(got), lambda: self.say(f"st.global.u32 [%rd1], {got};")])()
        if label:
            self.lines.append(f"G{label}:")

    def tell_number(self):
        kind = self.random.choice(["st.relaxed.gpu.u32 {}, %r4;", "atom.global.exch.b32 %r97, {}, %r4;",
                                   "atom.global.add.u32 %r97, {}, %r4;"])
        self.say(kind.format(self.place(self.random.choice([0, 1, 2, 4]))))

    def pass_number(self):
        """A plain store of the number, mostly in a lock, where the next one finds it."""
        self.label += 1
        got, p, label = self.fresh(), self.test(), self.label
        is_locked, place = self.random.random() < 0.85, self.place(self.random.choice([5, 6, 6, 6]))
        if is_locked:
            self.lines.append(f"L{label}:")
            self.say(f"atom.acquire.gpu.global.cas.b32 {got}, {self.place(3)}, 0, 1;")
            self.say(f"setp.ne.s32 {p}, {got}, 0;")
            self.say(f"@{p} bra L{label};")
        found = self.fresh()
        self.say(f"ld.global.u32 {found}, {place};")
        self.say(f"st.global.u32 {place}, %r4;")
        if is_locked:
            self.say(f"st.release.gpu.u32 {self.place(3)}, 0;")
        self.random.choice([lambda: self.trap(found), lambda: self.say(f"st.global.u32 {self.own()}, {found};"),
                            lambda: self.say(f"st.relaxed.gpu.u32 {self.place(1)}, {found};"),
                            lambda: None])()

    def by_value(self):
        """Another way by what is seen."""
        got, p = self.observe(), self.test()
        self.label += 1
        label = self.label
        self.say(f"setp.ne.s32 {p}, {got}, {self.random.choice([0, 0, 1, 2])};")
        self.say(f"@{p} bra V{label};")
        for _ in range(self.random.choice([1, 2])):
            self.random.choice([self.store, self.load, self.arrive, self.keep, self.plain])()
        self.lines.append(f"V{label}:")

    def only_lane(self):
        """A piece that one thread of each block runs."""
        p = self.test()
        self.label += 1
        label = self.label
        self.say(f"setp.ne.s32 {p}, %r2, {self.random.choice([0, 1])};")
        self.say(f"@{p} bra T{label};")
        self.random.choice([self.store, self.load, self.arrive, self.poll, self.lock, self.by_value])()
        self.lines.append(f"T{label}:")
        if self.random.random() < 0.5:
            self.say("bar.sync 0;")

    def final(self):
        word = self.random.choice(["m", "m", "m", "m", "o"])
        if word == "m":
            a, b = self.random.choice([0, 1, 2, 3, 4, 6]), self.random.choice([0, 1, 2, 4])
            return (f"m[{a}] {self.random.choice(['!=', '<', '=='])} {self.random.choice([0, 1, 2, 3])} || "
                    f"m[{b}] != {self.random.choice([0, 1, 2, 3])}")
        return (f"o[i] {self.random.choice(['<', '!=', '=='])} {self.random.choice(['i', '1', '2', '3', '8'])} "
                f"for i=0..{self.threads - 1}")

    def text(self):
        grid, block = self.random.choice([(2, 1), (3, 1), (3, 1), (4, 1), (1, 2), (1, 3), (1, 3), (2, 2), (3, 2)])
        self.threads = grid * block
        same = [self.store, self.load, self.fence, self.poll, self.arrive, self.arrive, self.barrier, self.lock,
                self.lock, self.plain, self.by_value, self.by_value, self.keep, self.keep]
        own = [self.keep_number, self.keep_number, self.take_back, self.take_back, self.in_range, self.gather, self.gather,
               self.pass_number, self.pass_number]
        apart = [self.tell_number, self.look_aside, lambda: self.only(self.store), lambda: self.only(self.load)]
        way = self.random.random()
        pieces = same if way < 0.4 else same + 3 * own if way < 0.65 else same + 2 * own + 4 * apart
        if block > 1 and grid > 1:
            pieces = pieces + 6 * [self.only_lane]
        for _ in range(self.random.choice([2, 3, 3, 4])):
            self.random.choice(pieces)()
        start = self.random.choice(["0", "0", "iota"])
        lines = [f"// launch: kernel=k grid={grid} block={block} args=m:u32[8]=0,o:u32[8]={start}\n"]
        if self.random.random() < 0.8:
            lines.append(f"// final: {self.final()}\n")
        head = HEAD.replace(".reg .b64 %rd<9>;", ".reg .b64 %rd<9>, %q<50>;")
        return "".join(lines) + head + "\n".join(self.lines) + "\n  ret;\n}\n"

    def in_range(self):
        """A test of the number that all pass."""
        p = self.test()
        self.label += 1
        label = self.label
        self.say(f"setp.ge.s32 {p}, %r4, {self.threads};")
        self.say(f"@{p} bra X{label};")
        self.random.choice([self.arrive, self.store, self.load])()
        self.lines.append(f"X{label}:")


def told(result):
    """What is found. Of threads that wait for each other, which is named first, and beside whom, depends on their numbers."""
    waits = {("deadlock", line) for f in result["findings"] if f["rule"] == "deadlock"
             for line in (f["line"], *(r["line"] for r in f["related"]))}
    others = dict(result, findings=[f for f in result["findings"] if f["rule"] != "deadlock"])
    return findings(others) + sorted(waits)


def probes_agree(warpsan, file, seed):
    """Outcomes of common memory, asked for one by one."""
    choose = random.Random(seed)
    text = "".join(line for line in file.read_text().splitlines(True) if not line.startswith("// final"))
    for probe in range(6):
        a, b = choose.sample([0, 1, 2, 3, 4, 6], 2)
        condition = f"m[{a}] != {choose.choice([0, 1, 1, 2, 3])} || m[{b}] != {choose.choice([0, 1, 1, 2, 3])}"
        asked = file.with_name(f"{file.stem}-{probe}.ptx")
        asked.write_text(f"// final: {condition}\n" + text)
        full, reduced = (check(warpsan, asked, "--symmetry", use) for use in ("never", "always"))
        if full["complete"] and reduced["complete"] and told(full) != told(reduced):
            print(f"seed {seed}, final condition {condition}: {told(full)}\n      but  {told(reduced)}")
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    seeds = [options.only] if options.only is not None else range(options.seed, options.seed + options.count)
    compared = differ = fewer = some = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            file = pathlib.Path(folder) / f"k{seed}.ptx"
            file.write_text(Exchangeable(seed).text())
            full = check(options.warpsan, file, "--symmetry", "never", "--timeout", "4")
            if not full["complete"]:
                continue
            # It may take longer, where other reductions have to wait for this one: then it is not compared.
            reduced = check(options.warpsan, file, "--symmetry", "always", "--timeout", "8")
            if not reduced["complete"]:
                reduced = check(options.warpsan, file, "--symmetry", "auto", "--timeout", "60")
            if options.v:
                print(file.read_text())
                print("full", json.dumps(full), "\nreduced", json.dumps(reduced))
            if full["seconds"] < 0.1 and not probes_agree(options.warpsan, file, seed):
                differ += 1
            compared += 1
            fewer += reduced["executions"] < full["executions"]
            some += bool(full["findings"])
            if not reduced["complete"] or told(full) != told(reduced):
                differ += 1
                print(f"seed {seed}: {full['executions']} executions, {told(full)}\n"
                      f"      but  {reduced['executions']} executions, {told(reduced)}, {reduced['incomplete']}")
    print(f"{compared} of {len(seeds)} kernels compared, {fewer} with fewer executions, {some} with findings, "
          f"{differ} differ")
    return 1 if differ or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
