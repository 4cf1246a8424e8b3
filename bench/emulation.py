#!/usr/bin/env python3
"""Measures `warpsan run` against Oclgrind on the same kernels, in one run.

usage: emulation.py WARPSAN [--tables rates,cores] [--kernel NAME]... [--repeat N] [--jobs N]

rates: both emulate every thread: kernels/kernels.ptx is what nvcc makes of kernels/kernels.cu, kernels/kernels.cl
is the same in OpenCL. Rates are instructions of all threads a second of CPU time, those of Oclgrind of
its own instructions (LLVM IR); start-up, measured on a launch of one block, is taken off. Without
Oclgrind (Debian: oclgrind) only the rates of warpsan are printed. Rates are no test: they depend on the machine.

cores: larger launches with -j 1 and -j N, looking for races, in seconds of the clock. As many runs with -j 1 at the
same time say what the machine lets N cores gain. Needs an idle machine.
"""
import argparse
import json
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time

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


class Large:
    """A launch that takes about a second or more, and how many accesses of shared memory its threads make."""

    def __init__(self, name, grid, block, arguments, shared):
        self.name, self.grid, self.block, self.arguments, self.shared = name, grid, block, arguments, shared

    def command(self, warpsan, jobs):
        launch = f"kernel={self.name} grid={self.grid} block={self.block} args={self.arguments}"
        return [warpsan, "run", "-j", str(jobs), "--launch", launch, str(FOLDER / "kernels.ptx")]


LARGE = [
    Large("matrix_product", "32,32", "16,16", "a:f32[262144]=iota,b:f32[262144]=1,c:f32[262144]=0,n:u32=512",
          512 * 512 * 512 // 16 * (2 + 2 * 16)),
    Large("block_reduction", "65536", "256", f"in:u32[{16 * MILLION}]=iota,out:u32[65536]=0",
          65536 * (256 + 3 * 255 + 1)),
    Large("vector_add", "131072", "256", f"a:f32[{32 * MILLION}]=iota,b:f32[{32 * MILLION}]=1,"
          f"c:f32[{32 * MILLION}]=0,n:u32={32 * MILLION}", 0),
    Large("histogram", "1024", "256", f"in:u32[{64 * MILLION}]=random:3,out:u32[256]=0,n:u32={64 * MILLION}",
          64 * MILLION + 2 * 256 * 1024),
]


def elapsed(commands):
    """Seconds until all of the commands, begun at once, have ended."""
    begin = time.perf_counter()
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for command in commands]
    statuses = [process.wait() for process in running]
    seconds = time.perf_counter() - begin
    if any(statuses):
        raise SystemExit(f"{' '.join(map(str, commands[0]))}: status {statuses}")
    return seconds


def print_cores(options):
    jobs = options.jobs
    print(f"seconds with -j 1 and -j {jobs}, what {jobs} runs with -j 1 at the same time gain, "
          "and millions of checked accesses of shared memory a second\n")
    print(f"| kernel | -j 1 | -j {jobs} | ratio | {jobs} runs at once | shared, -j 1 | shared, -j {jobs} |")
    print("|---|---|---|---|---|---|---|")
    for kernel in LARGE:
        if options.kernel and kernel.name not in options.kernel:
            continue
        alone, shared = (kernel.command(options.warpsan, n) for n in (1, jobs))
        # In turn, so that what else the machine does meets all of them.
        times = [(elapsed([alone]), elapsed([shared]), elapsed([alone] * jobs)) for _ in range(options.repeat)]
        one, many, at_once = map(min, zip(*times))
        rates = [f"{kernel.shared / seconds / 1e6:.0f}" if kernel.shared else "-" for seconds in (one, many)]
        print(f"| {kernel.name} | {one:.2f} | {many:.2f} | {one / many:.2f} | {jobs * one / at_once:.2f} | "
              f"{' | '.join(rates)} |", flush=True)


def print_rates(options):
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--tables", default="rates,cores")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tables = options.tables.split(",")
    if "rates" in tables:
        print_rates(options)
    if "cores" in tables:
        print_cores(options)


if __name__ == "__main__":
    main()
