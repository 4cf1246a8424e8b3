"""Random small kernels with the synchronisation that run_race_oracle.py's first kind lacks: warps, barriers by number,
mbarriers, asynchronous copies of both proxies, clusters, several launches, vectors and mixed sizes.

Lane 0 of each of two warps accesses a few words of global and shared memory, in phases; between these the warps of a
block may synchronise. Everything that is executed is executed in every order: nothing branches on what was read.
"""
import random

PHASES = (1, 2, 2, 3)
SIZES = {1: "u8", 2: "u16", 4: "u32", 8: "u64"}
WORDS = 8  # of each memory: 32 bytes


class Warp:
    def __init__(self, rng, number, has_peer):
        self.rng, self.number, self.has_peer, self.lines = rng, number, has_peer, []

    def add(self, *lines):
        self.lines += lines

    def place(self, size):
        """A space, a base and an offset; many fall on the same few bytes."""
        offset = self.rng.randrange(0, 16, size) if self.rng.random() < 0.8 else 0
        spaces = [("global", "%rd1"), ("shared", "%r20")]
        if self.has_peer:
            spaces.append(("shared::cluster", "%r21"))
        space, base = self.rng.choice(spaces)
        return space, f"[{base}+{offset}]"

    def access(self):
        kind = self.rng.randrange(8)
        size = self.rng.choice((1, 2, 4, 4, 4, 8))
        if kind in (0, 1, 2):
            space, place = self.place(size)
            register = {1: "%h1", 2: "%h1", 4: "%r1", 8: "%rd5"}[size]
            self.add(f"@%p1 {'ld' if kind == 0 else 'st'}.{space}.{SIZES[size]} "
                     + (f"{register}, {place};" if kind == 0 else f"{place}, {register};"))
        elif kind == 3:
            space, place = self.place(16)
            vector = "{%r1,%r2,%r3,%r4}"
            self.add(f"@%p1 ld.{space}.v4.u32 {vector}, {place};" if self.rng.random() < 0.5
                     else f"@%p1 st.{space}.v4.u32 {place}, {vector};")
        elif kind == 4:
            space, place = self.place(4)
            self.add(f"@%p1 red.relaxed.{self.rng.choice(('cta', 'gpu'))}.{space}.add.u32 {place}, 1;")
        elif kind == 5:
            scope = self.rng.choice(("cta", "gpu"))
            space, place = self.place(4)
            self.add(f"@%p1 ld.relaxed.{scope}.{space}.u32 %r1, {place};" if self.rng.random() < 0.5
                     else f"@%p1 st.relaxed.{scope}.{space}.u32 {place}, 7;")
        else:
            self.copy()

    def copy(self):
        offset = self.rng.choice((0, 4, 8))
        self.add(f"@%p1 cp.async.ca.shared.global [%r20+{offset}], [%rd1+{self.rng.choice((0, 4, 8))}], 4;")
        ending = self.rng.random()
        if ending < 0.5:
            self.add("cp.async.wait_all;")
        elif ending < 0.7:
            self.add("cp.async.commit_group;", f"cp.async.wait_group {self.rng.randrange(2)};")

    def wait(self, mbarrier):
        label = f"W{self.number}_{mbarrier}"
        self.add(f"{label}:", f"mbarrier.try_wait.parity.shared.b64 %p2, [%r22+{8 * mbarrier}], 0;",
                 f"@!%p2 bra {label};")


class Kernel:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.shape = self.rng.choice(("block", "block", "grid", "cluster", "launches"))
        self.mbarriers = 0
        has_peer = self.shape == "cluster"
        self.warps = [Warp(self.rng, number, has_peer) for number in range(2)]
        phases = self.rng.choice(PHASES)
        for phase in range(phases):
            for warp in self.warps:
                for _ in range(self.rng.choice((0, 1, 1, 2))):
                    warp.access()
            if phase + 1 < phases or self.rng.random() < 0.3:
                self.synchronise(phase)

    def both(self, *lines):
        for warp in self.warps:
            warp.add(*lines)

    def in_order(self):
        return self.rng.sample(self.warps, 2)

    def synchronise(self, phase):
        first, second = self.in_order()
        kind = self.rng.randrange(7)
        if kind == 0:
            self.both(f"bar.sync {phase}, 64;")
        elif kind == 1:
            first.add(f"bar.arrive {phase + 4}, 64;")
            second.add(f"bar.sync {phase + 4}, 64;")
        elif kind == 2:
            order = self.rng.choice(("", ".relaxed.cta", ".release.cta", ".release.cluster"))
            first.add(f"@%p1 mbarrier.arrive{order}.shared.b64 %rd6, [%r22+{8 * self.mbarriers}];")
            second.wait(self.mbarriers)
            self.mbarriers += 1
        elif kind in (3, 4):
            self.bulk_copy(first, second)
        elif kind == 5 and self.shape == "cluster":
            self.both(f"barrier.cluster.arrive{self.rng.choice(('', '.release', '.relaxed'))};", "barrier.cluster.wait;")
        elif kind == 6:
            self.both(f"fence.{self.rng.choice(('acq_rel.cta', 'acq_rel.gpu', 'proxy.async'))};", "bar.warp.sync 0xffffffff;")

    def bulk_copy(self, first, second):
        if self.rng.random() < 0.5:
            first.add("fence.proxy.async;")
        at = 8 * self.mbarriers
        if self.rng.random() < 0.6:
            first.add(f"@%p1 mbarrier.arrive.expect_tx.shared.b64 %rd6, [%r22+{at}], 16;",
                      "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                      f"[%r20+16], [%rd1], 16, [%r22+{at}];")
            self.rng.choice((first, second)).wait(self.mbarriers)
            self.mbarriers += 1
            return
        first.add("@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1+16], [%r20], 16;",
                  "cp.async.bulk.commit_group;")
        if self.rng.random() < 0.7:
            first.add(f"cp.async.bulk.wait_group{self.rng.choice(('', '.read'))} 0;")

    def launches(self):
        line = "// launch: kernel=k {} block=64 args=x:u32[8]=0"
        if self.shape == "cluster":
            return [line.format("grid=2 cluster=2")]
        if self.shape == "launches":
            second = self.rng.choice(("stream=0", "stream=1", "stream=1 after=1"))
            return [line.format("grid=1 stream=0"), line.format(f"grid=1 {second}")]
        return [line.format("grid=2" if self.shape == "grid" else "grid=1")]

    def text(self):
        begin = ["mov.u32 %r20, tile;", "mov.u32 %r22, mb;", "mov.u32 %r10, %tid.x;", "and.b32 %r11, %r10, 31;",
                 "setp.eq.u32 %p1, %r11, 0;", "setp.lt.u32 %p3, %r10, 32;", "mov.u32 %r1, 1;", "mov.u32 %r2, 2;",
                 "mov.u32 %r3, 3;", "mov.u32 %r4, 4;", "mov.u16 %h1, 5;", "mov.u64 %rd5, 6;",
                 "setp.eq.u32 %p4, %r10, 0;"]
        begin += [f"@%p4 st.shared.v4.u32 [%r20+{16 * i}], {{%r1,%r2,%r3,%r4}};" for i in range(2)]
        begin += [f"@%p4 mbarrier.init.shared.b64 [%r22+{8 * i}], 1;" for i in range(self.mbarriers)]
        begin += ["fence.proxy.async;", "bar.sync 15;"]
        end = []
        if self.shape == "cluster":
            begin += ["barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;", "mov.u32 %r12, %cluster_ctarank;",
                      "xor.b32 %r12, %r12, 1;", "mapa.shared::cluster.u32 %r21, %r20, %r12;"]
            end = ["barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;"]
        body = [*begin, "@!%p3 bra SECOND;", *self.warps[0].lines, "bra END;", "SECOND:", *self.warps[1].lines, "END:", *end]
        return "\n".join([
            ".version 8.6", ".target sm_90a", ".address_size 64", *self.launches(),
            ".shared .align 16 .b8 tile[32];", ".shared .align 8 .b64 mb[8];", ".visible .entry k(.param .u64 k_0)", "{",
            ".reg .pred %p<8>;", ".reg .b16 %h<4>;", ".reg .b32 %r<24>;", ".reg .b64 %rd<8>;",
            "ld.param.u64 %rd1, [k_0];", *body, "ret;", "}", ""])


def make_kernel(seed):
    return Kernel(seed).text()
