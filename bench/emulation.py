#!/usr/bin/env python3
"""Measures `warpsan run` against Oclgrind on the same kernels, in one run.

usage: emulation.py WARPSAN [--kernel NAME]... [--repeat N]

Both emulate every thread: kernels/kernels.ptx is what nvcc makes of kernels/kernels.cu, kernels/kernels.cl
is the same in OpenCL. Rates are instructions of all threads a second of CPU time, those of Oclgrind of
its own instructions (LLVM IR); start-up, measured on a launch of one block, is taken off. Without
Oclgrind (Debian: oclgrind) only the rates of warpsan are printed. Rates are no test: they depend on the machine.
"""
import argparse
import json
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "kernels"


class Kernel:
    """A kernel, its launch in both languages, and the number of blocks of a small one."""

    def __init__(self, name, grid, block, arguments, buffers):
        self.name, self.grid, self.block, self.arguments, self.buffers = name, grid, block, arguments, buffers

    def launch(self, grid):
        sizes = [",".join(map(str, size)) for size in (grid, self.block)]
        # The histogram goes through all of its input with any number of blocks.
        arguments = self.arguments if grid == self.grid else self.arguments.replace("n:u32=1048576", "n:u32=0")
        return f"kernel={self.name} grid={sizes[0]} block={sizes[1]} args={arguments}"

    def simulation(self, grid):
        total = [g * b for g, b in zip(grid, self.block)]
        lines = [str(FOLDER / "kernels.cl"), self.name]
        lines += [" ".join(map(str, (size + [1, 1])[:3])) for size in (total, self.block)]
        buffers = self.buffers
        if grid != self.grid:
            buffers = [buffer.replace("fill=1048576", "fill=0") for buffer in buffers]
        return "\n".join(lines + buffers) + "\n"


MILLION = 1 << 20
KERNELS = [
    Kernel("vector_add", [4096], [256],
           "a:f32[1048576]=iota,b:f32[1048576]=1,c:f32[1048576]=0,n:u32=1048576",
           ["<size=4194304 fill=1 float>", "<size=4194304 fill=1 float>", "<size=4194304 fill=0 float>",
            "<size=4 fill=1048576 uint>"]),
    Kernel("matrix_product", [16, 16], [16, 16], "a:f32[65536]=iota,b:f32[65536]=1,c:f32[65536]=0,n:u32=256",
           ["<size=262144 fill=1 float>", "<size=262144 fill=1 float>", "<size=262144 fill=0 float>",
            "<size=4 fill=256 uint>"]),
    Kernel("block_reduction", [4096], [256], "in:u32[1048576]=iota,out:u32[4096]=0",
           ["<size=4194304 fill=1 uint>", "<size=16384 fill=0 uint>"]),
    Kernel("histogram", [256], [256], "in:u32[1048576]=random:3,out:u32[256]=0,n:u32=1048576",
           ["<size=4194304 range=0:1:1048575 uint>", "<size=1024 fill=0 uint>", "<size=4 fill=1048576 uint>"]),
]


def spent(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout + done.stderr


def least(command, repeat):
    return min((spent(command) for _ in range(repeat)), key=lambda pair: pair[0])


def warpsan_rate(warpsan, kernel, flags, repeat):
    def run(grid):
        seconds, text = least([warpsan, "run", "--format", "json", *flags, "--launch", kernel.launch(grid),
                               FOLDER / "kernels.ptx"], repeat)
        return seconds, json.loads(text.splitlines()[0])["instructions"]

    small = [1] * len(kernel.grid)
    (seconds, count), (start, first) = run(kernel.grid), run(small)
    return (count - first) / max(seconds - start, 1e-6)


def oclgrind_rate(kernel, flags, repeat):
    def run(grid, more):
        with tempfile.NamedTemporaryFile("w", suffix=".sim") as file:
            file.write(kernel.simulation(grid))
            file.flush()
            return least(["oclgrind-kernel", *more, file.name], 1 if more == ["--inst-counts"] else repeat)

    counts = re.findall(r"^\s*([\d,]+) - ", run(kernel.grid, ["--inst-counts"])[1], re.M)
    count = sum(int(number.replace(",", "")) for number in counts)
    small = [1] * len(kernel.grid)
    return count / max(run(kernel.grid, flags)[0] - run(small, flags)[0], 1e-6)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--repeat", type=int, default=1)
    options = parser.parse_args()
    has_oclgrind = shutil.which("oclgrind-kernel") is not None
    print("millions of instructions a second\n")
    print("| kernel | looking for | warpsan | Oclgrind | ratio |\n|---|---|---|---|---|")
    for kernel in KERNELS:
        if options.kernel and kernel.name not in options.kernel:
            continue
        for name, own, other in (("faults", ["--no-races"], []), ("races", [], ["--data-races"])):
            rate = warpsan_rate(options.warpsan, kernel, own, options.repeat) / 1e6
            rival = oclgrind_rate(kernel, other, options.repeat) / 1e6 if has_oclgrind else None
            rival_text = f"{rival:.2f} | {rate / rival:.0f}" if rival else "- | -"
            print(f"| {kernel.name} | {name} | {rate:.0f} | {rival_text} |", flush=True)


if __name__ == "__main__":
    main()
