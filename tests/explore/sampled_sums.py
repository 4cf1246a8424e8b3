#!/usr/bin/env python3
"""Random kernels whose threads add to one word, by atomics whose results are used and by others: more of them than
all orders of which can be explored. One order is then explored, and whatever it is, the sum is that of all.

usage: sampled_sums.py WARPSAN [--count N] [--seed S]
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile

import counts  # noqa: F401, which makes runner known
from runner import finish

THREADS, OPERATIONS = 4, 3
HEAD = """.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 px, .param .u64 pout)
{
  .reg .pred %p<9>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [px];
  ld.param.u64 %rd2, [pout];
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd2, %rd2, %rd3;"""


def thread_lines(chooser, number):
    """The code of one block of one thread, and what it adds."""
    lines, total = [f"  setp.ne.u32 %p1, %r1, {number};", f"  @%p1 bra after{number};"], 0
    for _ in range(OPERATIONS):
        amount = chooser.randrange(1, 1000)
        total += amount
        if chooser.random() < 0.5:
            lines.append(f"  red.relaxed.gpu.global.add.u32 [%rd1], {amount};")
        else:
            lines.append(f"  atom.relaxed.gpu.global.add.u32 %r2, [%rd1], {amount};\n  st.global.u32 [%rd2], %r2;")
    return lines + [f"after{number}:"], total


def make_kernel(seed):
    chooser = random.Random(seed)
    lines, total = [], 0
    for number in range(THREADS):
        more, amount = thread_lines(chooser, number)
        lines += more
        total += amount
    launch = f"// launch: kernel=k grid={THREADS} block=1 args=x:u32[1]=0,out:u32[{THREADS}]=0"
    return "\n".join([launch, f"// final: x[0]=={total}", HEAD, *lines, "  ret;\n}\n"])


def check(warpsan, text):
    """What is wrong, or None; and whether one order stood for all."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "kernel.ptx"
        path.write_text(text)
        command = [warpsan, "check", "--format", "json", "--symmetry", "never", str(path)]
        run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (0, 3):
        findings = json.loads(run.stdout)["findings"] if run.stdout else []
        return findings[0]["message"] if findings else run.stderr, False
    return None, run.returncode == 3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--count", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed, sampled = 0, 0
    for seed in range(options.seed, options.seed + options.count):
        wrong, is_sampled = check(options.warpsan, make_kernel(seed))
        sampled += is_sampled
        failed += wrong is not None
        if wrong:
            print(f"FAILED --seed {seed}: {wrong}")
    if not sampled and not failed:
        print("FAILED no kernel was explored in one order: nothing was tested")
        failed += 1
    finish(options.count - failed, failed)


if __name__ == "__main__":
    main()
