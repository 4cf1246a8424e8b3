#!/usr/bin/env python3
"""Random programs of strong accesses as litmus tests and as kernels: the same number of executions.

usage: twins.py WARPSAN [--count N] [--seed S]

The search for litmus tests is held against an enumerator (tests/brute); that for kernels, which finds its
addresses while it runs, is held here against the search for litmus tests. (A cas that fails is not the same
in both: in litmus tests it writes the old value back.)
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile


def make_threads(seed):
    choice = random.Random(seed).choice
    threads = []
    for _ in range(choice([2, 3, 3, 4])):
        ops = []
        for _ in range(choice([1, 2, 2, 3])):
            place = choice("xxy")
            ops.append(choice([
                ("ld." + choice(["relaxed", "acquire"]), place, ()),
                ("st." + choice(["relaxed", "release"]), place, (choice([1, 2]),)),
                ("atom." + choice(["relaxed", "acq_rel", "acquire"]), "add " + place, (choice([0, 1, 2]),)),
                ("atom." + choice(["relaxed", "release"]), "exch " + place, (choice([1, 2]),)),
                ("atom." + choice(["relaxed", "acq_rel"]), "exch " + place, (choice([0, 1]),)),
                ("fence." + choice(["sc", "acq_rel"]), "", ()),
            ]))
        threads.append(ops)
    return threads


def litmus_line(op, register):
    name, place, values = op
    operands = ", ".join(map(str, values))
    if name.startswith("fence"):
        return f"{name}.gpu"
    if name.startswith("ld"):
        return f"{name}.gpu r{register}, {place}"
    if name.startswith("st"):
        return f"{name}.gpu {place}, {operands}"
    what, place = place.split()
    return f"{name}.gpu.{what} r{register}, {place}, {operands}"


def litmus_text(threads):
    height = max(map(len, threads))
    rows = [[litmus_line(ops[i], i) if i < len(ops) else "" for ops in threads] for i in range(height)]
    head = " | ".join(f"P{t}@cta {t},gpu 0" for t in range(len(threads)))
    lines = [" " + head + " ;"] + [" " + " | ".join(row) + " ;" for row in rows]
    return "PTX twin\n{ x=0; y=0; }\n" + "\n".join(lines) + "\nexists (x == 9)\n"


def kernel_line(op, register):
    name, place, values = op
    operands = ", ".join(map(str, values))
    if name.startswith("fence"):
        return f"{name}.gpu;"
    if name.startswith("ld"):
        return f"{name}.gpu.global.u32 %r{register}, [%{place}];"
    if name.startswith("st"):
        return f"{name}.gpu.global.u32 [%{place}], {operands};"
    what, place = place.split()
    kind = "u32" if what == "add" else "b32"
    return f"{name}.gpu.global.{what}.{kind} %r{register}, [%{place}], {operands};"


def kernel_text(threads):
    body = []
    for t, ops in enumerate(threads):
        body += [f"setp.ne.u32 %p, %t, {t};", f"@%p bra N{t};"]
        body += [kernel_line(op, i) for i, op in enumerate(ops)] + ["ret;", f"N{t}:"]
    return (f"// launch: kernel=k grid={len(threads)} block=1 args=x:u32[1]=0,y:u32[1]=0\n"
            ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 px, .param .u64 py)\n{\n"
            "  .reg .pred %p;\n  .reg .b32 %r<9>, %t;\n  .reg .b64 %x, %y;\n  ld.param.u64 %x, [px];\n"
            "  ld.param.u64 %y, [py];\n  mov.u32 %t, %ctaid.x;\n  " + "\n  ".join(body) + "\n  ret;\n}\n")


def count(warpsan, file, *more):
    command = [warpsan, "check", "--format", "json", "--no-witness", *more, str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}{done.stdout}")
    result = json.loads(done.stdout.splitlines()[0])
    return result["executions"], result["duplicates"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.seed, options.seed + options.count):
            threads = make_threads(seed)
            litmus, kernel = pathlib.Path(folder, "twin.litmus"), pathlib.Path(folder, "twin.ptx")
            litmus.write_text(litmus_text(threads))
            kernel.write_text(kernel_text(threads))
            expected, found = count(options.warpsan, litmus), count(options.warpsan, kernel, "--explore-all")
            if expected != found:
                differ += 1
                print(f"seed {seed}: expected {expected} executions and duplicates, found {found}\n"
                      f"{litmus.read_text()}")
    print(f"{options.count} programs, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
