#!/usr/bin/env python3
"""Families of programs whose number of executions is known by a formula.

usage: growth.py WARPSAN [OPTION...]     OPTIONs are passed on: --interpret, -j N
"""
import math
import pathlib
import sys

from counts import check, executions
from runner import finish


def program(name, threads):
    """A test with one block for each thread, a list of instructions."""
    heads = [f"P{i}@cta {i},gpu 0" for i in range(len(threads))]
    height = max(len(thread) for thread in threads)
    rows = [heads] + [[thread[i] if i < len(thread) else "" for thread in threads] for i in range(height)]
    return f"PTX {name}\n{{ }}\n" + "".join(" | ".join(row) + " ;\n" for row in rows) + "exists (x0 == 0)\n"


def ring(first, second, count):
    """Each thread does one thing at its own location and another at its neighbour's."""
    return [[first.format(i), second.format((i + 1) % count)] for i in range(count)]


STORE, LOAD = "st.relaxed.gpu x{}, 1", "ld.relaxed.gpu r0, x{}"


def store_buffering(n):
    return ring(STORE, LOAD, n)


def load_buffering(n):
    return ring(LOAD, STORE, n)


def increments(n):
    return [["atom.relaxed.gpu.add r0, x0, 1"]] * n


def strong_stores(n):
    return [[f"st.relaxed.gpu x0, {i + 1}"] for i in range(n)]


def plain_stores(n):
    return [[f"st.weak x0, {i + 1}"] for i in range(n)]


def fenced_store_buffering(n):
    return [[first, "fence.sc.gpu", second] for first, second in store_buffering(n)]


def readers(n):
    return [["st.relaxed.gpu x0, 1"]] + [["ld.relaxed.gpu r0, x0"]] * n


def chain(n):
    """Thread i hands on to thread i + 1, which goes on only if it has seen the flag."""
    first = [["st.release.gpu x0, 1"]]
    return first + [[f"ld.acquire.gpu r0, x{i}", f"bne r0, 1, L{i}", f"st.release.gpu x{i + 1}, 1", f"L{i}:"]
                    for i in range(n)]


PTX, WEAK = ("ptx60", "ptx"), ("ptx60", "ptx", "cuda", "c11")
ALL = (*WEAK, "rc11", "tso", "sc")
FAMILIES = [
    # Each read sees the write or not; with sequential consistency not all of them miss it.
    (store_buffering, range(2, 7), (*WEAK, "rc11", "tso"), lambda n: 2 ** n),
    (store_buffering, range(2, 7), ("sc",), lambda n: 2 ** n - 1),
    (fenced_store_buffering, range(2, 6), ALL, lambda n: 2 ** n - 1),
    # Each read sees the write or not; not all of them where loads are not overtaken.
    (load_buffering, range(2, 7), WEAK, lambda n: 2 ** n),
    (load_buffering, range(2, 7), ("rc11", "tso", "sc"), lambda n: 2 ** n - 1),
    # Atomics and strong stores of one location are in one order, plain stores of PTX in none.
    (increments, range(2, 6), ALL, math.factorial),
    (strong_stores, range(2, 6), ALL, math.factorial),
    (plain_stores, range(2, 7), PTX, lambda n: 1),
    (plain_stores, range(2, 6), ("cuda", "rc11", "c11", "tso", "sc"), math.factorial),
    (readers, range(1, 8), ALL, lambda n: 2 ** n),
    # The chain breaks before one of its links, or does not.
    (chain, range(1, 12), ALL, lambda n: n + 1),
]


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    passed = failed = 0
    for family, sizes, models, formula in FAMILIES:
        name = family.__name__
        texts = {f"{name}-{n}": program(f"{name}-{n}", family(n)) for n in sizes}
        for model in models:
            results = check(warpsan, texts, model, ["--no-witness", *sys.argv[2:]])
            for n in sizes:
                found = executions(results.get(f"{name}-{n}"))
                passed += found == formula(n)
                if found != formula(n):
                    failed += 1
                    print(f"FAILED {name} of size {n} under {model}: expected {formula(n)}, found {found}")
    finish(passed, failed)


if __name__ == "__main__":
    main()
