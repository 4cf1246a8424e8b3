#!/usr/bin/env python3
"""Measures how `warpsan run` with race detection grows with a launch, and prints a table.

usage: scaling.py WARPSAN [--kernel NAME]... [--most BLOCKS] [--timeout CPU_SECONDS] [--jobs N]

Kernels of kernels/scaling.ptx, which kernels/scaling.cu was compiled to: words that several warps or blocks read,
counters and flags that all blocks use, fences of all threads. CPU seconds of a whole process; those of `--no-races`
beside them. The growth is that of the seconds for each block from a row to the next: 1.0 is linear. A finding,
or a run that is not complete, is an error and the exit status is 1. Peak memory needs GNU time.
"""
import argparse
import json
import pathlib
import resource
import shutil
import subprocess
import sys

KERNELS = pathlib.Path(__file__).resolve().parent / "kernels" / "scaling.ptx"
TIME = shutil.which("time")


def row(x, threads):
    return f"grid={x} block={threads}"


# Of each kernel: numbers of blocks, and the launch for one of them.
FAMILIES = {
    "stencil_shared": ((256, 1024, 4096), lambda n: row(n, 256) + f" args=in:f32[{256 * n}]=iota,"
                       f"out:f32[{256 * n}]=0,steps:u32=16"),
    "stencil_square": ((256, 1024, 4096), lambda n: row(n, "16,16") + f" args=in:f32[{256 * n}]=iota,"
                       f"out:f32[{256 * n}]=0,steps:u32=16"),
    "stencil_global": ((256, 1024, 4096), lambda n: row(f"16,{n // 16}", "16,16") +
                       f" args=in:f32[{256 * n}]=iota,out:f32[{256 * n}]=0,width:u32=256"),
    "grid_barrier": ((256, 1024, 4096), lambda n: row(n, 64) + f" coop=1 args=count:u32[1]=0,"
                     f"data:u32[{64 * n}]=0,out:u32[{64 * n}]=0,rounds:u32=4"),
    "grid_latch": ((256, 1024, 4096), lambda n: row(n, 64) + f" coop=1 args=count:u32[1]=0,"
                   f"data:u32[{64 * n}]=0,out:u32[{64 * n}]=0"),
    "last_block": ((1024, 4096, 16384), lambda n: row(n, 64) + f" args=in:u32[{n}]=1,part:u32[{n}]=0,"
                   f"out:u32[1]=0,count:u32[1]=0"),
    "split_k": ((256, 1024, 4096), lambda n: row(f"16,{n // 16}", 64) +
                f" args=tile:f32[{4 * n}]=0,semaphore:u32[{n // 16}]=0"),
    "look_back": ((256, 1024, 4096, 16384), lambda n: row(n, 32) + f" args=in:u32[{32 * n}]=1,out:u32[{32 * n}]=0,"
                  f"status:u32[{n}]=0,aggregate:u32[{n}]=0,prefix:u32[{n}]=0,next:u32[1]=0"),
    "fence_all": ((64, 256, 1024), lambda n: row(n, 256) + f" args=data:u32[{256 * n}]=0,count:u32[1]=0"),
    "release_all": ((64, 256, 1024), lambda n: row(n, 256) + f" args=data:u32[{256 * n}]=0,count:u32[1]=0"),
    "count_all": ((256, 1024, 4096), lambda n: row(n, 256) + f" args=in:u32[{256 * n}]=random:3,"
                  f"bins:u32[1024]=0,total:u32[1]=0"),
}


def run(options, launch, *more):
    """CPU seconds, peak MB and the result; None: it did not end."""
    command = [options.warpsan, "run", "--format", "json", "-j", str(options.jobs), *more, "--launch", launch, KERNELS]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = int(options.timeout)
    done = subprocess.run([TIME, "-f", "peak %M", *command] if TIME else command, capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
    if not done.stdout:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = [int(line.split()[1]) / 1024 for line in done.stderr.splitlines() if line.startswith("peak ")]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, peak[0] if peak else 0, json.loads(done.stdout.splitlines()[0])


def measure(options, name):
    sizes, launch_of = FAMILIES[name]
    last, is_right = None, True
    for blocks in sizes:
        if blocks > options.most:
            break
        launch = f"kernel={name} {launch_of(blocks)}"
        plain, watched = run(options, launch, "--no-races"), run(options, launch)
        plain_text = f"{plain[0]:.2f}" if plain else "-"
        if watched is None:
            print(f"| {name} | {blocks} | {plain_text} | no end | | |", flush=True)
            return False
        seconds, peak, result = watched
        growth = f"{seconds / last[0] * last[1] / blocks:.1f}" if last else ""
        wrong = bool(result["findings"]) or not result["complete"]
        is_right &= not wrong
        print(f"| {name} | {blocks} | {plain_text} | {seconds:.2f} | {growth} | {peak:.0f} |"
              f"{' WRONG' if wrong else ''}", flush=True)
        last = seconds, blocks
    return is_right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--kernel", action="append", choices=list(FAMILIES))
    parser.add_argument("--most", type=int, default=1 << 20)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    print("| kernel | blocks | faults, s | races, s | growth | peak MB |\n|---|---|---|---|---|---|")
    results = [measure(options, name) for name in options.kernel or FAMILIES]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
