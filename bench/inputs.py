"""Families of litmus tests that grow with a number, and how many executions each of them has.

A count is None where no formula is known.
"""
import dataclasses
import math
from typing import Callable

MODELS = ("ptx", "cuda", "rc11", "tso", "sc")


@dataclasses.dataclass(frozen=True)
class Family:
    name: str
    sizes: tuple  # of the table of growth
    text: Callable  # size -> litmus test
    count: Callable  # (size, model) -> executions, or None
    models: tuple = MODELS


def table(name, threads, condition=None, blocks=None):
    """A litmus test in the PTX dialect; each thread is in a block of its own unless said."""
    blocks = blocks or range(len(threads))
    columns = [[f"P{i}@cta {block},gpu 0", *code] for i, (block, code) in
               enumerate(zip(blocks, threads))]
    height = max(map(len, columns))
    widths = [max(map(len, column)) for column in columns]
    cells = [column + [""] * (height - len(column)) for column in columns]
    rows = (" " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " ;"
            for row in zip(*cells))
    question = f"exists ({condition})\n" if condition else ""
    return f"PTX {name}\n{{\n}}\n" + "\n".join(rows) + "\n" + question


def each(count, atom):
    return " /\\ ".join(atom.format(i) for i in range(count))


# --- many short threads


def store_buffering(fences):
    def text(n):
        threads = [[f"st.relaxed.gpu x{i}, 1", *fences, f"ld.relaxed.gpu r0, x{(i + 1) % n}"]
                   for i in range(n)]
        return table(f"SB{n}", threads, each(n, "P{}:r0 == 0"))
    return text


def load_buffering(n):
    threads = [[f"ld.relaxed.gpu r0, x{i}", f"st.relaxed.gpu x{(i + 1) % n}, 1"] for i in range(n)]
    return table(f"LB{n}", threads, each(n, "P{}:r0 == 1"))


def iriw(n):
    writers = [["st.relaxed.gpu x, 1"], ["st.relaxed.gpu y, 1"]]
    readers = [[f"ld.acquire.gpu r0, {'xy'[i % 2]}", f"ld.acquire.gpu r1, {'yx'[i % 2]}"]
               for i in range(n)]
    return table(f"IRIW{n}", writers + readers, "P2:r0 == 1 /\\ P2:r1 == 0")


def iriw_count(n, model):
    """Under a total order of the two writes, readers may not see them in both orders."""
    one, other = (n + 1) // 2, n // 2
    if model in ("ptx", "cuda", "rc11"):
        return 4**n
    return 4**n - (4**one - 3**one) * (4**other - 3**other)


def increments(n):
    threads = [["atom.relaxed.gpu.add r0, x, 1"]] * n
    return table(f"FAI{n}", threads, "P0:r0 == 0 /\\ P1:r0 == 0")


def writers(n):
    return table(f"W{n}", [[f"st.relaxed.gpu x, {i + 1}"] for i in range(n)], "x == 1")


def readers(n):
    threads = [["st.relaxed.gpu x, 1"]] + [["ld.relaxed.gpu r0, x"]] * n
    return table(f"R{n}", threads, "P1:r0 == 1")


# --- long executions


def chain(skip):
    """Each thread passes data on when its flag was set; it waits for that, or gives up."""
    def text(n):
        threads = [["st.weak d0, 1", "st.release.gpu f0, 1"]]
        for i in range(1, n):
            wait = [f"ld.acquire.gpu r0, f{i - 1}", "bne r0, 1, LC01"]
            body = [f"ld.weak r1, d{i - 1}", f"st.weak d{i}, 1", f"st.release.gpu f{i}, 1"]
            threads.append(wait + body + ["LC01:"] if skip else ["LC01:"] + wait + body)
        return table(f"chain{n}", threads, f"P{n - 1}:r1 == 1")
    return text


def ping_pong(n):
    """Two threads, n rounds: few threads, many events."""
    there, back = [], []
    for i in range(n):
        there += [f"st.weak d{i}, 1", f"st.release.gpu f{i}, 1",
                  f"LC{2 * i}:", f"ld.acquire.gpu r0, g{i}", f"bne r0, 1, LC{2 * i}"]
        back += [f"LC{2 * i + 1}:", f"ld.acquire.gpu r0, f{i}", f"bne r0, 1, LC{2 * i + 1}",
                 f"ld.weak r1, d{i}", f"st.release.gpu g{i}, 1"]
    return table(f"pingpong{n}", [there, back], "P1:r1 == 1")


# --- two blocks of n threads that all fence


def fences_only(n):
    return table(f"fences{n}", [["fence.sc.gpu"]] * (2 * n), blocks=[0] * n + [1] * n)


def fences_with_flag(n):
    """Every thread writes, the first block raises a flag, every thread of the second block reads."""
    first = [[f"st.weak d{i}, 1", "fence.sc.gpu", "bar.cta.sync 1"] for i in range(n)]
    first[0] += ["st.relaxed.gpu f, 1"]
    second = [["bar.cta.sync 2", "fence.sc.gpu", f"ld.weak r1, d{i}"] for i in range(n)]
    second[0] = ["LC01:", "ld.relaxed.gpu r0, f", "bne r0, 1, LC01"] + second[0]
    return table(f"flag{n}", first + second, f"P{2 * n - 1}:r1 == 0", [0] * n + [1] * n)


def one(n, model):
    return 1


FAMILIES = {family.name: family for family in (
    Family("SB fence.sc", (2, 3, 4, 5, 6, 7, 8, 12), store_buffering(["fence.sc.gpu"]),
           lambda n, model: 2**n - 1),
    Family("SB", (2, 3, 4, 5, 6, 7, 8, 12, 16), store_buffering([]),
           lambda n, model: 2**n - (model == "sc")),
    Family("LB", (2, 3, 4, 5, 6, 7, 8, 12), load_buffering,
           lambda n, model: 2**n - (model in ("rc11", "tso", "sc"))),
    Family("IRIW", (2, 3, 4, 5, 6, 7, 8), iriw, iriw_count),
    Family("increments", (2, 3, 4, 5, 6, 7, 8, 9), increments, lambda n, model: math.factorial(n)),
    Family("writers", (2, 3, 4, 5, 6, 7, 8, 9), writers, lambda n, model: math.factorial(n)),
    Family("readers", (2, 4, 8, 12, 15, 18), readers, lambda n, model: 2**n),
    Family("chain, waits", (2, 5, 10, 20, 40, 80, 160), chain(skip=False), one),
    Family("chain, skips", (2, 5, 10, 20, 40, 80, 160), chain(skip=True), lambda n, model: n),
    Family("ping-pong", (10, 20, 40, 80), ping_pong, one),
    Family("fences", (4, 16, 64), fences_only, one),
    Family("fences, flag", (4, 16, 64), fences_with_flag, one, ("ptx",)),
)}
