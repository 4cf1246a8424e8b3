#!/usr/bin/env python3
"""Measures how `warpsan run` with race detection grows with a launch, and prints a table.

usage: scaling.py WARPSAN [--kernel NAME]... [--most BLOCKS] [--timeout CPU_SECONDS] [--jobs N]

Kernels of kernels/scaling.ptx and kernels/sharing.ptx, which the .cu files beside them were compiled to: words that
several warps or blocks read, counters and flags that all blocks use, fences of all threads; shapes of real programs. CPU seconds of a whole process; those of `--no-races`
beside them, and the ratio of both. The growth is that of the seconds for each block from a row to the next: 1.0 is linear. A finding,
or a run that is not complete, is an error and the exit status is 1. Peak memory needs GNU time.
"""
import argparse
import json
import pathlib
import resource
import shutil
import subprocess
import sys
from math import isqrt

KERNELS = [pathlib.Path(__file__).resolve().parent / "kernels" / name for name in ("scaling.ptx", "sharing.ptx")]
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
    # Neighbours, tables, all of all, sparse data, shared memory.
    "halo": ((256, 1024, 4096), lambda n: row(n, 256) + f" args=in:f32[{256 * n}]=iota,out:f32[{256 * n}]=0,"
             f"n:u32={256 * n}"),
    "jacobi": ((8, 32, 128), lambda n: row(f"{isqrt(512 * n) // 32},{isqrt(512 * n) // 16}", "32,16") +
               f" args=in:f32[{isqrt(512 * n) ** 3}]=iota,out:f32[{isqrt(512 * n) ** 3}]=0,width:u32={isqrt(512 * n)}"),
    "convolution": ((256, 1024), lambda n: row(n, 256) + f" args=in:f32[{256 * n}]=iota,weights:f32[25]=1,"
                    f"out:f32[{256 * n}]=0,n:u32={256 * n}"),
    "binary_search": ((64, 256, 1024), lambda n: row(n, 256) + f" args=sorted:u32[65536]=iota,"
                      f"keys:u32[{256 * n}]=random:3,out:u32[{256 * n}]=0,n:u32=65536"),
    "lookup": ((256, 1024), lambda n: row(n, 256) + f" args=table:u32[65536]=iota,keys:u32[{256 * n}]=random:3,"
               f"out:u32[{256 * n}]=0,n:u32=65536"),
    "bodies": ((4, 16), lambda n: row(n, 256) + f" args=x:f32[{256 * n}]=iota,force:f32[{256 * n}]=0,n:u32={256 * n}"),
    "bodies_tiled": ((16, 64), lambda n: row(n, 256) + f" args=x:f32[{256 * n}]=iota,force:f32[{256 * n}]=0,"
                     f"n:u32={256 * n}"),
    "product": ((64, 256), lambda n: row(f"{isqrt(n)},{isqrt(n)}", "16,16") +
                f" args=a:f32[{256 * n}]=iota,b:f32[{256 * n}]=1,c:f32[{256 * n}]=0,n:u32={16 * isqrt(n)}"),
    "sparse_rows": ((64, 256), lambda n: row(n, 256) + f" args=columns:u32[{4096 * n}]=random:5,"
                    f"values:f32[{4096 * n}]=1,x:f32[{1024 * n}]=1,y:f32[{256 * n}]=0,width:u32=16,n:u32={1024 * n}"),
    "sparse_warps": ((256, 1024), lambda n: row(n, 256) + f" args=columns:u32[{1024 * n}]=random:5,"
                     f"values:f32[{1024 * n}]=1,x:f32[{256 * n}]=1,y:f32[{8 * n}]=0,width:u32=128,n:u32={256 * n}"),
    "breadth_first": ((32, 128), lambda n: row(n, 256) + f" args=edges:u32[{8192 * n}]=random:5,"
                      f"distance:u32[{2048 * n}]=4294967295,frontier:u32[{256 * n}]=iota,next:u32[{2048 * n}]=0,"
                      f"count:u32[1]=0,degree:u32=16,n:u32={2048 * n}"),
    "transpose": ((256, 1024), lambda n: row(f"{isqrt(n)},{isqrt(n)}", "32,8") +
                  f" args=in:f32[{1024 * n}]=iota,out:f32[{1024 * n}]=0,width:u32={32 * isqrt(n)}"),
    "prefix_sums": ((1024, 4096), lambda n: row(n, 256) + f" args=in:u32[{256 * n}]=iota,out:u32[{256 * n}]=0"),
    "prefix_tree": ((1024, 4096), lambda n: row(n, 256) + f" args=in:u32[{512 * n}]=iota,out:u32[{512 * n}]=0"),
    # Vectors, structures, tables.
    "vectors": ((256, 1024), lambda n: row(n, 256) + f" args=in:f32[{1024 * n}]=iota,out:f32[{1024 * n}]=0"),
    "points": ((256, 1024), lambda n: row(n, 256) + f" args=in:f32[{768 * n}]=iota,out:f32[{768 * n}]=0,step:f32=1"),
    "product_tiled": ((64, 256), lambda n: row(n, 256) + f" args=a:f32[{8192 * n}]=iota,b:f32[8192]=1,"
                      f"c:f32[{4096 * n}]=0,steps:u32=16"),
    "table_shared": ((256, 1024), lambda n: row(n, 256) + f" args=in:u32[{256 * n}]=random:3,"
                     f"values:u32[256]=random:5,out:u32[{256 * n}]=0"),
    "fourier": ((256, 1024), lambda n: row(n, 256) + f" args=in:f32[{1024 * n}]=iota,out:f32[{1024 * n}]=0"),
    "bitonic": ((256, 1024), lambda n: row(n, 256) + f" args=in:u32[{512 * n}]=random:3,out:u32[{512 * n}]=0"),
}


def file_of(name):
    return next(path for path in KERNELS if f".entry {name}(" in path.read_text())


def run(options, name, launch, *more):
    """CPU seconds, peak MB and the result; None: it did not end."""
    command = [options.warpsan, "run", "--format", "json", "-j", str(options.jobs), *more, "--launch", launch,
               file_of(name)]
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
        plain, watched = run(options, name, launch, "--no-races"), run(options, name, launch)
        plain_text = f"{plain[0]:.2f}" if plain else "-"
        if watched is None:
            print(f"| {name} | {blocks} | {plain_text} | no end | | | |", flush=True)
            return False
        seconds, peak, result = watched
        growth = f"{seconds / last[0] * last[1] / blocks:.1f}" if last else ""
        wrong = bool(result["findings"]) or not result["complete"]
        is_right &= not wrong
        ratio = f"{seconds / max(plain[0], 0.01):.1f}" if plain else ""
        print(f"| {name} | {blocks} | {plain_text} | {seconds:.2f} | {ratio} | {growth} | {peak:.0f} |"
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
    print("| kernel | blocks | faults, s | races, s | ratio | growth | peak MB |\n|---|---|---|---|---|---|---|")
    results = [measure(options, name) for name in options.kernel or FAMILIES]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
