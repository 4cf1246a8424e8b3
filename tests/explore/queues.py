#!/usr/bin/env python3
"""Random kernels whose threads take work from shared counters in loops, explored with one order of the tickets that lead
to the same place standing for all, and without (--explore-all): the same findings.

usage: queues.py WARPSAN [--count N] [--seed S] [--only S] [-v]

Threads, or blocks by a leader who passes the ticket on through shared memory or by a shuffle, take tickets until they are beyond a
bound. What they do with one uses slots, memory of the thread or of all, flags and fences that may or may not order it,
and a bound that may be wrong; some barriers are missing. What comes behind the loop looks at it all. Threads trap on
what they find, so that outcomes show as findings, as final conditions do. A kernel that --explore-all does not complete
is not compared; the reduction has to complete each that it does. Some are explored with the symmetry of threads, too.
"""
import sys

import slots


class Queue(slots.Kernel):
    def branch_away(self, condition, target, a, b):
        p = self.test()
        self.say(f"setp.{condition} {p}, {a}, {b};")
        self.say(f"@{p} bra {target};")

    def take(self, counter, got):
        order = self.random.choice([""] * 8 + ["relaxed.gpu.", "acq_rel.gpu.", "release.gpu."])
        if self.chance(0.06):
            self.say(self.random.choice(["fence.acq_rel.gpu;", "membar.gl;"]))
        self.say(f"atom.{order}global.add.u32 {got}, [%rd1+{counter}], {self.step};")
        if self.chance(0.06):
            self.say("fence.acq_rel.gpu;")

    # --- what is done with a ticket

    def own_word(self):
        """Memory of the thread, of its neighbour, or of all."""
        place = self.element("%rd2", "%r4", self.random.choice([0, 0, 0, 0, 4]))
        got = self.fresh()
        self.say(f"ld.global.u32 {got}, {place};")
        self.say(f"add.u32 {got}, {got}, {self.random.choice(['1', '1', self.some_ticket()])};")
        self.say(f"st.global.u32 {place}, {got};")
        self.found.append(got)

    def common(self):
        way = self.random.choice(["red.global.add.u32 [%rd1+8], 1;", "red.global.max.u32 [%rd1+8], %r4;",
                                  "st.relaxed.gpu.global.u32 [%rd1+8], 1;", "st.global.u32 [%rd1+8], 1;",
                                  f"red.global.add.u32 [%rd1+8], {self.some_ticket()};"])
        self.say(way)

    def look(self):
        got = self.fresh()
        self.say(f"ld.{self.random.choice(['relaxed.gpu', 'acquire.gpu'])}.global.u32 {got}, [%rd1+{self.random.choice([8, 8, 12])}];")
        self.found.append(got)
        if self.chance(0.5):
            self.trap()

    def tell(self):
        self.say(f"st.{self.random.choice(['relaxed', 'release'])}.gpu.global.u32 [%rd1+12], {self.random.choice(['1', '%r4'])};")

    def accumulate(self):
        value = self.random.choice(self.found + [self.some_ticket(), "1"])
        self.say(f"add.u32 %r98, %r98, {value};")

    def compare(self):
        self.label += 1
        label = f"C{self.label}"
        self.branch_away(self.random.choice(["ge.s32", "lt.u32", "gt.s32", "eq.s32"]), label, self.some_ticket(),
                         self.random.choice([0, 1, 1, 2, 3]))
        self.random.choice([self.put, self.common, self.own_word, self.by_position])()
        self.lines.append(f"{label}:")

    def shuffle(self):
        """Between lanes that need not be there any more."""
        got = self.fresh()
        self.say(f"shfl.sync.{self.random.choice(['idx', 'bfly'])}.b32 {got}, {self.random.choice(['%r4', self.some_ticket()])}, "
                 f"{self.random.choice([0, 1])}, 31, {(1 << self.lanes) - 1};")
        self.found.append(got)

    def work(self):
        if self.lanes > 1 and self.chance(0.08):
            self.shuffle()
            return
        if self.chance(0.15):
            self.only(self.random.choice([self.put, self.common, self.tell, self.look, self.own_word]))
            return
        self.random.choice([self.put] * 7 + [self.get] * 3 + [self.own_word] * 3 + [self.common, self.common, self.look, self.tell,
                           self.accumulate, self.accumulate, self.by_position, self.by_position, self.compare,
                           self.trap])()

    def barrier_of(self, is_block):
        if is_block and self.chance(0.85):
            self.say("bar.sync 0;")

    # --- the loop

    def loop(self, is_block):
        self.label += 1
        label, got, counter = self.label, self.fresh(), self.random.choice([0, 0, 0, 4])
        self.tickets = [got]
        self.lines.append(f"L{label}:")
        if is_block:
            by_lanes = self.chance(0.4)
            self.branch_away("ne.s32", f"T{label}", "%r2", 0)
            self.take(counter, got)
            if not by_lanes:
                self.say(f"st.shared.u32 [buffer], {got};")
            self.lines.append(f"T{label}:")
            if by_lanes:
                self.say(f"shfl.sync.idx.b32 {got}, {got}, 0, 31, {(1 << self.lanes) - 1};")
            else:
                self.say("bar.sync 0;")
                self.say(f"ld.shared.u32 {got}, [buffer];")
                self.barrier_of(True)
        elif self.lanes > 1 and self.chance(0.15):
            self.shuffle()
            self.take(counter, got)
        else:
            self.take(counter, got)
        if self.is_told:
            self.only(self.tell)
        is_late = self.chance(0.15)
        if is_late:
            self.work()
        self.branch_away(self.random.choice(["ge.s32", "ge.u32", "gt.s32"]) if self.step > 0 else "lt.s32", f"E{label}", got,
                         self.bound)
        for _ in range(self.random.choice([1, 1, 2, 3])):
            self.work()
        self.say(f"bra L{label};")
        self.lines.append(f"E{label}:")
        if self.chance(0.25):
            self.branch_away("ne.s32", f"Z{label}", got, self.bound + self.threads - 1)
            self.random.choice([self.common, self.by_position, self.trap, self.put])()
            self.lines.append(f"Z{label}:")

    def wait(self):
        """Others go on when a thread has told them, behind its first ticket and maybe before it has that."""
        self.label += 1
        label, got = self.label, self.fresh()
        self.branch_away("eq.s32", f"W{label}", "%r4", self.random.choice([0, 1]))
        self.lines.append(f"V{label}:")
        self.say(f"ld.{self.random.choice(['relaxed', 'relaxed', 'acquire'])}.gpu.global.u32 {got}, [%rd1+12];")
        self.branch_away("eq.s32", self.random.choice([f"V{label}", f"W{label}"]), got, 0)
        self.random.choice([self.common, self.own_word, lambda: None])()
        self.lines.append(f"W{label}:")

    def text(self):
        grid, block = self.random.choice([(1, 2), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2)])
        is_block = block > 1 and self.chance(0.4)
        self.lanes, self.is_told = block, self.chance(0.15)
        self.threads = grid if is_block else grid * block
        self.step = self.random.choice([1] * 8 + [2, -1])
        self.bound = 2 if self.step < 0 else self.random.choice([1, 2, 2, 3] if self.threads < 4 else [1, 2])
        if self.chance(0.3):
            self.random.choice([self.by_position, self.barrier, self.common, self.tell])() if self.tickets else \
                self.random.choice([self.barrier, self.tell])()
        if self.is_told and not is_block:
            self.wait()
        self.loop(is_block)
        for _ in range(self.random.choice([0, 1, 2])):
            self.random.choice([self.barrier, self.barrier, self.by_position, self.by_position, self.look, self.common,
                                self.own_word, self.reset if grid == 1 else self.barrier])()
        if self.chance(0.12):
            self.loop(is_block)
        if self.chance(0.3):
            self.say(self.random.choice(["st.global.u32 [%rd1+8], %r98;", "red.global.add.u32 [%rd1+8], %r98;"]))
        start = self.random.choice([3, 4]) if self.step < 0 else 0
        args = f"c:u32[4]={start},x:u32[16]=iota,o:u32[16]=0"
        launch = [f"// launch: kernel=k grid={grid} block={block} args={args}"]
        if self.chance(0.5):
            launch.append("// final: " + self.random.choice(
                [f"c[0]=={self.bound + self.threads}", "o[0]!=3", "o[0]+o[1]+o[2]+o[3]!=4", "o[1]<=o[2]", "c[2]==0", "c[2]<3",
                 "x[1]<3", "x[0]+x[1]!=2"]))
        zero = "".join(f"  mov.u32 %r{r}, 0;\n" for r in range(6, 99))
        return "\n".join(launch) + "\n" + slots.HEAD + zero + "\n".join(self.lines) + "\n  ret;\n}\n"


def told(result):
    """Of racing writes any may be the last: what a final condition then finds says nothing, nor does whether only weak
    behaviour leads to a trap."""
    found = [("trap", *f[1:]) if f[0] == "stale-value" else f for f in slots.kinds(result)]
    is_racing = any(f["rule"] == "data-race" for f in result["findings"])
    return [f for f in found if f[0] != "assert"] if is_racing else found


if __name__ == "__main__":
    sys.exit(slots.compare(Queue, told))
