#!/usr/bin/env python3
"""Random kernels that access the same bytes by accesses of 1 to 16 bytes, asynchronous reductions among them, in phases
between barriers: in each phase one thread works, so that memory and all results are known. What is expected is computed
here, byte by byte.

usage: mixed_sizes.py WARPSAN [--count N] [--seed S] [-v]

Each result is compared in the kernel, which traps if it is wrong; final conditions demand the bytes that are left.
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile

import counts  # noqa: F401, which makes runner known
from runner import finish

BYTES, THREADS, PHASES = 32, 3, 6
HEAD = """.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 pm)
{
  .reg .pred %p<9>;
  .reg .b16 %h<9>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  .shared .align 16 .b8 source[16];
  ld.param.u64 %rd1, [pm];
  mov.u32 %r1, %tid.x;"""
REGISTER = {1: "%r2", 2: "%h2", 4: "%r2", 8: "%rd2"}
ATOMICS = {"add": lambda old, new: old + new, "exch": lambda old, new: new, "or": lambda old, new: old | new,
           "max": max, "xor": lambda old, new: old ^ new}


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.memory = bytearray(BYTES)
        self.lines = []

    def read(self, at, size):
        return int.from_bytes(self.memory[at:at + size], "little")

    def write(self, at, size, value):
        self.memory[at:at + size] = (value % (1 << 8 * size)).to_bytes(size, "little")

    def expect(self, size, value):
        register, bits = REGISTER[size], 64 if size == 8 else 32
        if size == 2:
            self.lines.append(f"  cvt.u32.u16 %r3, {register};")
            register = "%r3"
        self.lines.append(f"  setp.ne.s{bits} %p2, {register}, {value};\n  @%p2 trap;")

    def load(self):
        size = self.random.choice([1, 2, 4, 8])
        at = self.random.randrange(BYTES // size) * size
        kind = self.random.choice(["", ".relaxed.gpu", ".acquire.cta", ".volatile"])
        self.lines.append(f"  ld{kind}.global.u{8 * size} {REGISTER[size]}, [%rd1+{at}];")
        self.expect(size, self.read(at, size))

    def store(self):
        size = self.random.choice([1, 2, 4, 8])
        at = self.random.randrange(BYTES // size) * size
        value = self.random.randrange(1 << min(8 * size, 31))
        kind = self.random.choice(["", "", ".relaxed.gpu", ".release.cta"])
        if size == 2:
            self.lines.append(f"  mov.u16 %h2, {value};")
        elif size == 8:
            self.lines.append(f"  mov.u64 %rd2, {value};")
        else:
            self.lines.append(f"  mov.u32 %r2, {value};")
        self.lines.append(f"  st{kind}.global.u{8 * size} [%rd1+{at}], {REGISTER[size]};")
        self.write(at, size, value)

    def atomic(self):
        size = self.random.choice([4, 8])
        at = self.random.randrange(BYTES // size) * size
        name = self.random.choice(sorted(ATOMICS))
        value = self.random.randrange(1 << 31)
        old = self.read(at, size)
        has_result = name == "exch" or self.random.random() < 0.6
        kind = ("u" if name in ("add", "max") else "b") + str(8 * size)
        operation = f"{'atom' if has_result else 'red'}.relaxed.gpu.global.{name}.{kind}"
        result = f"{REGISTER[size]}, " if has_result else ""
        self.lines.append(f"  {operation} {result}[%rd1+{at}], {value};")
        if has_result:
            self.expect(size, old)
        self.write(at, size, ATOMICS[name](old, value))

    def swap(self):
        size = self.random.choice([4, 8])
        at = self.random.randrange(BYTES // size) * size
        old = self.read(at, size)
        compared = old if self.random.random() < 0.6 else old ^ 1
        value = self.random.randrange(1 << 31)
        self.lines.append(f"  atom.relaxed.gpu.global.cas.b{8 * size} {REGISTER[size]}, [%rd1+{at}], "
                          f"{compared}, {value};")
        self.expect(size, old)
        if compared == old:
            self.write(at, size, value)

    def reduce(self):
        """An asynchronous reduction of 16 bytes, element by element; the source is in shared memory."""
        size = self.random.choice([4, 8])
        at = self.random.randrange(BYTES // 16) * 16
        name = self.random.choice(sorted(ATOMICS.keys() - {"exch"}))
        kind = ("u" if name in ("add", "max") else "b") + str(8 * size)
        values = [self.random.randrange(1 << 31) for _ in range(16 // size)]
        for i, value in enumerate(values):
            self.lines.append(f"  st.shared.u{8 * size} [source+{i * size}], {value};")
        self.lines.append(f"""  fence.proxy.async;
  add.u64 %rd3, %rd1, {at};
  cp.reduce.async.bulk.global.shared::cta.bulk_group.{name}.{kind} [%rd3], [source], 16;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;""")
        for i, value in enumerate(values):
            old = self.read(at + i * size, size)
            self.write(at + i * size, size, ATOMICS[name](old, value))

    def text(self):
        for phase in range(PHASES):
            thread = self.random.randrange(THREADS)
            self.lines.append(f"  setp.ne.s32 %p1, %r1, {thread};\n  @%p1 bra L{phase};")
            for _ in range(self.random.randrange(1, 4)):
                self.random.choice([self.load, self.store, self.store, self.atomic, self.swap, self.reduce])()
            self.lines.append(f"L{phase}:\n  bar.sync 0;")
        finals = " && ".join(f"m[{i}]=={byte}" for i, byte in enumerate(self.memory))
        launch = f"// launch: kernel=k grid=1 block={THREADS} args=m:u8[{BYTES}]=0"
        return "\n".join([launch, f"// final: {finals}", HEAD, *self.lines, "  ret;", "}", ""])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-v", action="store_true", help="show kernels that fail")
    options = parser.parse_args()
    warpsan = str(pathlib.Path(options.warpsan).resolve())
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        files = {}
        for seed in range(options.seed, options.seed + options.count):
            file = pathlib.Path(folder) / f"k{seed}.ptx"
            file.write_text(Kernel(seed).text())
            files[str(file)] = seed
        for command in ("check", "run"):
            done = subprocess.run([warpsan, command, "--format", "json", *files], text=True, capture_output=True)
            results = [json.loads(line) for line in done.stdout.splitlines()]
            right = [result for result in results if result["complete"] and not result["findings"]]
            passed += len(right)
            failed += len(files) - len(right)
            for result in results:
                if result not in right:
                    messages = [finding["message"] for finding in result["findings"]] or [result["incomplete"]]
                    print(f"FAILED {command} --seed {files[result['input']]}: {messages[0]}")
                    if options.v:
                        print(pathlib.Path(result["input"]).read_text())
            if done.stderr:
                print(done.stderr[:2000])
    finish(passed, failed)


if __name__ == "__main__":
    main()
