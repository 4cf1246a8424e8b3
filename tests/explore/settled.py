#!/usr/bin/env python3
"""Random kernels whose threads change one word by strong accesses, all at once, and read it by plain loads behind the
next barrier: in each phase all of them see the same value, and each that some order of the accesses leaves is seen.

usage: settled.py WARPSAN [--count N] [--seed S] [-v]

The values that can be left are computed here, by going through the orders.
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile

import counts  # noqa: F401, which makes runner known
from runner import finish

THREADS, PHASES, VALUES = 3, 2, 6
HEAD = """.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 pm, .param .u64 po)
{
  .reg .pred %p<9>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [pm];
  ld.param.u64 %rd2, [po];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd2, %rd2, %rd3;"""
# (text, what it makes of the word); `%r2` is used where it is a result.
ACCESSES = [
    ("st.volatile.global.u32 [%rd1], {0};", lambda old, new: new),
    ("st.relaxed.gpu.global.u32 [%rd1], {0};", lambda old, new: new),
    ("atom.global.exch.b32 %r2, [%rd1], {0};", lambda old, new: new),
    ("atom.global.add.u32 %r2, [%rd1], {0};", lambda old, new: old + new),
    ("red.global.add.u32 [%rd1], {0};", lambda old, new: old + new),
    ("atom.global.max.u32 %r2, [%rd1], {0};", max),
    ("atom.global.cas.b32 %r2, [%rd1], 1, {0};", lambda old, new: new if old == 1 else old),
]
USED = "  setp.eq.u32 %p2, %r2, 12345;\n  @%p2 trap;"


def orders(threads):
    """All ways to merge the threads' accesses."""
    if not any(threads):
        yield []
    for i, accesses in enumerate(threads):
        if accesses:
            rest = [*threads[:i], accesses[1:], *threads[i + 1:]]
            yield from ([accesses[0], *order] for order in orders(rest))


def left(old, order):
    for (_, change), value in order:
        old = change(old, value)
    return old


class Kernel:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.values = [{0}]  # that the word may have behind each phase
        self.lines = []

    def add_phase(self, phase):
        many = self.random.randrange(THREADS)
        threads = [[(self.random.choice(ACCESSES), self.random.randrange(1, VALUES))
                    for _ in range(1 + (t == many))] for t in range(THREADS)]
        for t, accesses in enumerate(threads):
            self.lines.append(f"  setp.ne.u32 %p1, %r1, {t};\n  @%p1 bra P{phase}T{t};")
            for (text, _), value in accesses:
                self.lines.append("  " + text.format(value))
                if "%r2" in text and self.random.random() < 0.7:
                    self.lines.append(USED)
            self.lines.append(f"P{phase}T{t}:")
        self.lines.append(f"  bar.sync 0;\n  ld.global.u32 %r3, [%rd1];\n"
                          f"  st.global.u32 [%rd2+{4 * THREADS * phase}], %r3;\n  bar.sync 0;")
        self.values.append({left(old, order) for old in self.values[-1] for order in orders(threads)})

    def text(self):
        for phase in range(PHASES):
            self.add_phase(phase)
        launch = f"// launch: kernel=k grid=1 block={THREADS} args=m:u32[1]=0,o:u32[{THREADS * PHASES}]=0"
        return "\n".join([launch, HEAD, *self.lines, "  ret;", "}", ""])


def check(warpsan, path, final):
    done = subprocess.run([warpsan, "check", "--format", "json", "--no-witness", "--final", final, str(path)],
                          capture_output=True, text=True, timeout=60)
    result = json.loads(done.stdout)
    rules = {finding["rule"] for finding in result["findings"] if finding["severity"] != "advice"}
    return rules if result["complete"] else {"incomplete"}


def judge(warpsan, kernel, path):
    same = [f"o[{THREADS * phase + t}]==o[{THREADS * phase}]" for phase in range(PHASES) for t in range(THREADS)]
    found = check(warpsan, path, " && ".join([*same, f"m[0]==o[{THREADS * (PHASES - 1)}]"]))
    if found:
        return f"the threads see different values: {found}"
    for phase in range(PHASES):
        value = kernel.random.randrange(2 * VALUES)
        is_seen = bool(check(warpsan, path, f"o[{THREADS * phase}]!={value}"))
        if is_seen != (value in kernel.values[phase + 1]):
            return f"phase {phase}: {value} is {'' if is_seen else 'not '}seen, possible are {kernel.values[phase + 1]}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-v", action="store_true", help="show kernels that fail")
    options = parser.parse_args()
    warpsan = str(pathlib.Path(options.warpsan).resolve())
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "kernel.ptx"
        for i in range(options.count):
            kernel = Kernel(options.seed + i)
            text = kernel.text()
            path.write_text(text)
            error = judge(warpsan, kernel, path)
            if error:
                failed += 1
                print(f"FAILED --seed {options.seed + i}: {error}" + ("\n" + text if options.v else ""))
    finish(options.count - failed, failed)


if __name__ == "__main__":
    main()
