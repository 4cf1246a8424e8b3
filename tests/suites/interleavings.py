#!/usr/bin/env python3
"""Holds the command's answers about termination against a search of interleavings.

usage: interleavings.py WARPSAN

For each test of the public PTX suite without barriers, all interleavings of its threads are searched
for one that goes on for ever although each unfinished thread takes steps: a cycle of states in which
every unfinished thread moves. Interleavings are executions of the PTX models, so where there is such
a cycle the command must find that the test may not terminate. Where all accesses are strong and to
one location, the executions are the interleavings, so the command must find no more.
Skipped where the suite is not at hand.
"""
import pathlib
import re
import sys

from suite import find_suite, judge_rows, read_rows
from runner import finish

OPERATIONS = {
    "add": lambda old, a, b: old + a, "sub": lambda old, a, b: old - a, "exch": lambda old, a, b: a,
    "cas": lambda old, a, b: b if old == a else old, "and": lambda old, a, b: old & a,
    "or": lambda old, a, b: old | a, "xor": lambda old, a, b: old ^ a,
}


class Unsupported(Exception):
    """The test has something that is not searched: aliases, barriers."""


def parse(text):
    """(threads, initial values): a thread is a list of instructions, each a list of words."""
    text = re.sub(r"\(\*.*?\*\)|//[^\n]*", "", text, flags=re.S)
    head, _, rest = text.partition("{")
    declarations, _, rest = rest.partition("}")
    rows = re.split(r"\b(?:exists|forall|filter|locations|~)", rest)[0].split(";")
    names, *table = [row.split("|") for row in rows if row.strip()]
    threads = [[] for _ in names]
    for row in table:
        for thread, cell in zip(threads, row):
            if cell.strip():
                thread.append(re.split(r"[\s,]+", cell.strip()))
    initial = {name: int(value) for name, value in
               re.findall(r"(?m)(?:^|;|\s)([\w:]+)\s*=\s*(\d+)", declarations)}
    if "aliases" in declarations or "&" in declarations:
        raise Unsupported
    return threads, initial


class Machine:
    def __init__(self, threads, initial):
        self.threads = threads
        self.labels = [{words[0][:-1]: i for i, words in enumerate(thread) if words[0].endswith(":")}
                       for thread in threads]
        locations = sorted({words[i] for thread in threads for words in thread
                            for i in self.location_places(words)})
        self.locations = {name: i for i, name in enumerate(locations)}
        memory = tuple(initial.get(name, 0) for name in locations)
        registers = tuple(tuple(sorted((name.split(":")[1], value) for name, value in initial.items()
                                       if name.startswith(f"P{t}:"))) for t in range(len(threads)))
        self.start = ((0,) * len(threads), registers, memory)

    @staticmethod
    def location_places(words):
        kind = words[0].split(".")[0]
        return {"ld": [2], "st": [1], "atom": [2], "red": [1]}.get(kind, [])

    def step(self, state, thread):
        """The state after the next instruction of a thread."""
        pcs, registers, memory = state
        words = self.threads[thread][pcs[thread]]
        values, memory = dict(registers[thread]), list(memory)
        pc = self.run(words, pcs[thread], values, memory, self.labels[thread])
        replace = lambda row, item: row[:thread] + (item,) + row[thread + 1:]  # noqa: E731
        return (replace(pcs, pc), replace(registers, tuple(sorted(values.items()))), tuple(memory))

    def run(self, words, pc, values, memory, labels):
        number = lambda word: int(word) if word.lstrip("-").isdigit() else values.get(word, 0)  # noqa: E731
        name, *operands = words
        kind, *modifiers = name.split(".")
        if kind == "ld":
            values[operands[0]] = memory[self.locations[operands[1]]]
        elif kind == "st":
            memory[self.locations[operands[0]]] = number(operands[1])
        elif kind in ("atom", "red"):
            operands = operands if kind == "atom" else ["", *operands]
            place = self.locations[operands[1]]
            old = memory[place]
            arguments = [number(word) for word in operands[2:]] + [0]
            memory[place] = OPERATIONS[modifiers[-1]](old, arguments[0], arguments[1])
            values[operands[0]] = old
        elif kind in ("beq", "bne"):
            if (number(operands[0]) == number(operands[1])) == (kind == "beq"):
                return labels[operands[2]]
        elif kind == "goto":
            return labels[operands[0]]
        elif kind in ("add", "sub", "mov"):
            first, second = number(operands[1]), number(operands[2]) if kind != "mov" else 0
            values[operands[0]] = first - second if kind == "sub" else first + second
        elif kind != "fence" and not name.endswith(":"):
            raise Unsupported
        return pc + 1


def successors(machine, state):
    """(thread, state after its step) for each thread that has not ended."""
    return [(t, machine.step(state, t)) for t, thread in enumerate(machine.threads)
            if state[0][t] < len(thread)]


def graph_of(machine, limit=200000):
    graph, todo = {}, [machine.start]
    while todo:
        state = todo.pop()
        if state in graph:
            continue
        if len(graph) > limit:
            raise Unsupported
        graph[state] = successors(machine, state)
        todo += [to for _, to in graph[state]]
    return graph


def components(graph):
    """The strongly connected components, by two passes (Kosaraju)."""
    order, seen = [], set()
    for root in graph:
        stack = [] if root in seen else [(root, iter(graph[root]))]
        seen.add(root)
        while stack:
            state, edges = stack[-1]
            to = next((to for _, to in edges if to not in seen), None)
            if to is None:
                order.append(state)
                stack.pop()
            else:
                seen.add(to)
                stack.append((to, iter(graph[to])))
    backward = {state: [] for state in graph}
    for state, edges in graph.items():
        for _, to in edges:
            backward[to].append(state)
    component_of = {}
    for root in reversed(order):
        stack = [root]
        while stack:
            state = stack.pop()
            if state not in component_of:
                component_of[state] = root
                stack += backward[state]
    return component_of


def may_go_on_for_ever(machine):
    graph = graph_of(machine)
    component_of = components(graph)
    movers, unfinished = {}, {}
    for state, edges in graph.items():
        name = component_of[state]
        unfinished[name] = {thread for thread, _ in edges}
        movers.setdefault(name, set()).update(t for t, to in edges if component_of[to] == name)
    return any(unfinished[name] and movers[name] >= unfinished[name] for name in movers)


def is_exact(machine):
    """Are the executions the interleavings?"""
    strong = all(".relaxed.gpu" in words[0] for thread in machine.threads for words in thread
                 if machine.location_places(words))
    return strong and len(machine.locations) == 1


def fault(path, row, found):
    """None, or what contradicts the search of interleavings."""
    try:
        machine = Machine(*parse(path.read_text()))
        expected = "FAIL" if may_go_on_for_ever(machine) else "PASS"
    except Unsupported:
        return "unsupported"
    if found == expected or (found == "FAIL" and not is_exact(machine)):
        return None
    return f"FAILED {row['path']} {row['model']}: interleavings say {expected}, found {found}"


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    suite = find_suite()
    rows = [row for row in read_rows(suite, "computed_ptx.tsv") if row["property"] == "termination"]
    faults = [fault(suite / row["path"], row, found) for row, found in judge_rows(warpsan, suite, rows)]
    unsupported = faults.count("unsupported")
    failures = [text for text in faults if text not in (None, "unsupported")]
    print("\n".join([*failures, f"{unsupported} rows not searched"]))
    finish(faults.count(None), len(failures))


if __name__ == "__main__":
    main()
