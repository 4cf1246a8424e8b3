#!/usr/bin/env python3
"""Holds the C dialect against the brute-force enumerator, on random programs of several threads.

usage: translated.py WARPSAN BRUTE [--seed S] [--count N] [--models cuda,rc11,c11] [--interpret]

The enumerator writes programs in the PTX dialect. Each that C can say is written again as a test in
C, which must have the same executions, final states, races and verdict under the models of C and C++.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "brute")]
from compare import differences  # noqa: E402
from runner import finish  # noqa: E402

SCOPES = {"cta": "block", "cluster": "cluster", "gpu": "device", "sys": "system"}
ORDERS = {"sc": "seq_cst"}
COMPARISONS = {"beq": "==", "bne": "!=", "blt": "<", "ble": "<=", "bgt": ">", "bge": ">="}
ARITHMETIC = {"add": "+", "sub": "-", "mul": "*", "div": "/", "and": "&", "or": "|", "xor": "^"}
UPDATES = {"add": "fetch_add", "sub": "fetch_sub", "and": "fetch_and", "or": "fetch_or",
           "xor": "fetch_xor", "exch": "exchange"}
BATCH = 200


class CannotSay(Exception):
    pass


def attributes(words):
    """`, memory_order_..., thread_scope_...` of ["relaxed", "gpu"]."""
    order = ORDERS.get(words[0], words[0])
    scope = f", thread_scope_{SCOPES[words[1]]}" if len(words) > 1 else ""
    return f", memory_order_{order}{scope}"


def compare_and_exchange(thread, operands, words):
    """The variable that holds the expected value has the one found in the end."""
    *result, location, expected, fresh = operands
    order, _, scope = attributes(words).partition(", thread")
    orders = f"{order}, memory_order_relaxed" + f", thread{scope}" * bool(scope)
    call = (f"expected = {expected}; atomic_compare_exchange_strong_explicit("
            f"{location}, &expected, {fresh}{orders})")
    thread.has_expected = True
    return call + f"; {result[0]} = expected" * bool(result)


def access(thread, name, operands):
    """A load, store or atomic, as an expression that the first operand may be assigned."""
    kind, *words = name.split(".")
    location = operands[0] if kind in ("st", "red") else operands[1]
    values = operands[1:] if kind in ("st", "red") else operands[2:]
    thread.locations[location].add(words[0] if words[0] in ("weak", "volatile") else "atomic")
    if kind in ("atom", "red") and words[-1] == "cas":
        return compare_and_exchange(thread, operands, words[:-1])
    if kind in ("atom", "red"):
        if words[-1] not in UPDATES:
            raise CannotSay(words[-1])
        call = f"atomic_{UPDATES[words[-1]]}_explicit({location}, {values[0]}{attributes(words[:-1])})"
    elif words[0] in ("weak", "volatile"):
        call = f"*{location}" + (f" = {values[0]}" if kind == "st" else "")
    elif kind == "ld":
        call = f"atomic_load_explicit({location}{attributes(words)})"
    else:
        call = f"atomic_store_explicit({location}, {values[0]}{attributes(words)})"
    return call if kind in ("st", "red") else f"{operands[0]} = {call}"


class Thread:
    def __init__(self, heading, cells, registers):
        self.heading = heading
        self.locations = collections.defaultdict(set)
        self.registers = registers
        self.open_labels, self.barriers, self.has_branch = [], [], False
        self.has_expected = False
        self.lines = [line for cell in cells for line in self.say(cell)]
        if self.open_labels:
            raise CannotSay("a label")

    def say(self, cell):
        while match := re.match(r"(LC\d+):\s*", cell):
            yield from self.close(match.group(1))
            cell = cell[match.end():]
        if cell:
            name, _, rest = cell.partition(" ")
            yield self.instruction(name, [word.strip() for word in rest.split(",")])

    # A jump forward is a condition on what it jumps over.
    def close(self, label):
        while label in self.open_labels:
            if self.open_labels.pop() != label:
                raise CannotSay("crossing jumps")
            yield "}"

    def instruction(self, name, operands):
        if name in COMPARISONS:
            self.has_branch = True
            self.open_labels.append(operands[2])
            return f"if (!({operands[0]} {COMPARISONS[name]} {operands[1]})) {{"
        if name.startswith("fence.") and ".proxy." not in name:
            return f"atomic_thread_fence({attributes(name.split('.')[1:])[2:]});"
        if name == "bar.cta.sync":
            self.barriers.append(operands[0])
            return "__syncthreads();"
        if name in ARITHMETIC:
            return f"{operands[0]} = {operands[1]} {ARITHMETIC[name]} {operands[2]};"
        if name in ("ld", "mov"):
            return f"{operands[0]} = {operands[1]};"
        if name.split(".")[0] in ("ld", "st", "atom", "red"):
            return access(self, name, operands) + ";"
        raise CannotSay(name)

    def text(self, number):
        parameters = []
        for location, kinds in sorted(self.locations.items()):
            if {"weak", "volatile"} <= kinds:
                raise CannotSay("plain and volatile accesses of one thread")
            parameters.append(f"{'volatile ' * ('volatile' in kinds)}atomic_int* {location}")
        variables = "".join(f"  int {name} = {value};\n" for name, value in self.registers.items())
        variables += "  int expected;\n" * self.has_expected
        body = "".join(f"  {line}\n" for line in self.lines)
        return f"{self.heading} ({', '.join(parameters)}) {{\n{variables}{body}}}\n\n"


def check_barriers(threads):
    """__syncthreads is one barrier: the threads of a block have to meet at the same ones."""
    blocks = collections.defaultdict(set)
    for thread in threads:
        blocks[thread.heading.partition("@")[2]].add(tuple(thread.barriers))
        if thread.barriers and thread.has_branch:
            raise CannotSay("a barrier in a condition")
    if any(len(sequences) > 1 for sequences in blocks.values()):
        raise CannotSay("barriers of a part of the block")


def translate(text):
    """A test in the PTX dialect, as the enumerator writes it, in the dialect of C."""
    head, _, rest = text.partition("{\n")
    init, _, rest = rest.partition("}\n")
    table, _, question = rest.partition("locations")
    if "aliases" in init or re.search(r"=[a-z&]", init):
        raise CannotSay("aliases and addresses")
    registers = collections.defaultdict(dict)
    for thread, name, value in re.findall(r"P(\d+):(r\d+)=(-?\d+)", init):
        registers[int(thread)][name] = value
    locations = "".join(re.findall(r"(?m)^\w+=-?\d+;$", init))
    rows = [[cell.strip() for cell in row.rstrip("; ").split("|")] for row in table.splitlines()]
    columns = list(zip(*(row + [""] * (len(rows[0]) - len(row)) for row in rows)))
    threads = [Thread(column[0], column[1:], registers[i]) for i, column in enumerate(columns)]
    check_barriers(threads)
    bodies = "".join(thread.text(i) for i, thread in enumerate(threads))
    return f"C {head.split()[1]}\n{{ {locations} }}\n\n{bodies}locations{question}"


def check(warpsan, model, files, more):
    command = [warpsan, "check", "--format", "json", "--no-witness", "--model", model, *more, *files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    sys.stdout.write(done.stderr[:2000])
    results = map(json.loads, done.stdout.splitlines())
    return {pathlib.Path(result["input"]).name: result for result in results}


def compare(options, folder):
    passed = failed = 0
    reasons, said = collections.Counter(), set()
    for path in sorted(folder.glob("*.litmus")):
        try:
            path.write_text(translate(path.read_text()))
            said.add(path.name)
        except CannotSay as reason:
            reasons[str(reason)] += 1
    records = [json.loads(line) for line in (folder / "expected.jsonl").open()]
    for model in options.models.split(","):
        wanted = {r["file"]: r for r in records if r["model"] == model and r["file"] in said}
        names = sorted(wanted)
        for begin in range(0, len(names), BATCH):
            batch = names[begin:begin + BATCH]
            found = check(options.warpsan, model, [str(folder / name) for name in batch],
                          ["--interpret"] * options.interpret)
            for name in batch:
                lines = list(differences(wanted[name], found.get(name)))
                passed += not lines
                failed += bool(lines)
                if lines and failed < 20:
                    print(f"{name} {model}: {lines[0]}\n{(folder / name).read_text()}")
    print(f"{len(said)} programs of C; not said: " +
          ", ".join(f"{count} {reason}" for reason, count in reasons.most_common()))
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("warpsan")
    parser.add_argument("brute")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", default="600")
    parser.add_argument("--models", default="cuda,rc11,c11")
    parser.add_argument("--interpret", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([options.brute, "--seed", options.seed, "--count", options.count,
                        "--cas", "c", "--out", name],
                       check=True, stdout=subprocess.DEVNULL)
        passed, failed = compare(options, pathlib.Path(name))
    return finish(passed, failed if passed else 1)


if __name__ == "__main__":
    sys.exit(main())
