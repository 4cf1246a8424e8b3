#!/usr/bin/env python3
"""Holds the C dialect against a C compiler, on random programs of one thread.

usage: sequential.py WARPSAN [--seed S] [--count N] [--cc CC]

Each program computes with variables and atomics: expressions of all precedences, side effects, short
circuits, loops, conditions. The compiler's program prints what its variables hold in the end; the
litmus test of the same text has to end in that state, and in no other.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from runner import SKIPPED, finish  # noqa: E402

VARIABLES = ("a", "b", "c", "d")
LOCATIONS = ("x", "y")
BINARY = ("||", "&&", "|", "^", "&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "<<")
SHIFTS = ("1", "2", "3")
BATCH = 50


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = 0

    def pick(self, *choices):
        return self.random.choice(choices)

    # Without side effects, so that the order of evaluation does not matter.
    def pure(self, depth):
        kind = self.random.randrange(8) if depth else self.random.randrange(3)
        if kind == 0:
            return str(self.random.randint(-9, 9))
        if kind in (1, 2):
            return self.pick(*VARIABLES)
        if kind == 3:
            return self.pick("-", "~", "!", "+") + " " + self.wrapped(depth)
        if kind == 4:
            return f"{self.wrapped(depth)} ? {self.pure(depth - 1)} : {self.wrapped(depth)}"
        operator = self.pick(*BINARY)
        left, right = self.wrapped(depth), self.wrapped(depth)
        if operator in ("/", "%"):
            right = str(self.random.randint(1, 7))
        if operator == "<<":
            return f"(({left} & 15) << {self.pick(*SHIFTS)})"
        return f"{left} {operator} {right}"

    # With the parentheses left out half of the time: precedences count. Not around `?:`, whose
    # parts differ where it stands.
    def wrapped(self, depth):
        text = self.pure(depth - 1)
        return text if "?" not in text and self.random.random() < 0.5 else f"({text})"

    def effect(self):
        location, variable = self.pick(*LOCATIONS), self.pick(*VARIABLES)
        return self.pick(
            f"*{location}",
            f"atomic_load({location})",
            f"atomic_fetch_add({location}, {variable})",
            f"atomic_fetch_xor_explicit({location}, 3, memory_order_relaxed)",
            f"atomic_exchange({location}, {variable} + 1)",
            f"atomic_compare_exchange_strong({location}, &{variable}, 5)",
            f"{variable}++", f"--{variable}", f"(*{location} += {variable})",
            f"({variable} = *{location})")

    # At most one side effect in what is not sequenced.
    def value(self, depth=3):
        kind = self.random.randrange(5)
        if kind == 0:
            return self.effect()
        if kind == 1:
            return f"({self.effect()}) {self.pick('&&', '||')} {self.effect()}"
        if kind == 2:
            return f"({self.effect()}) ? ({self.effect()}) : ({self.pure(1)})"
        return self.pure(depth)

    # The values stay small, so that nothing overflows in C's `int`.
    def assignment(self):
        target = self.pick(*VARIABLES, *(f"*{location}" for location in LOCATIONS))
        if self.random.random() < 0.3:
            return f"{target} {self.pick('+=', '-=', '^=', '|=', '&=')} {self.pure(2)}; {self.clip(target)}"
        value = self.value()
        if target in VARIABLES and target in value and ("++" in value or "--" in value or "&" + target
                                                        in value or f"({target} =" in value):
            value = self.pure(2)
        return f"{target} = {value}; {self.clip(target)}"

    def clip(self, target):
        return f"{target} = {target} % 100;"

    def clip_all(self):
        return " ".join(self.clip(name) for name in (*VARIABLES, "*x", "*y"))

    def statement(self, depth):
        kind = self.random.randrange(7) if depth else 0
        if kind <= 2:
            return self.assignment() + " " + self.clip_all()
        if kind == 3:
            other = f" else {{ {self.statements(depth - 1)} }}" if self.random.random() < 0.5 else ""
            return f"if ({self.value(2)}) {{ {self.statements(depth - 1)} }}{other} {self.clip_all()}"
        self.loops += 1
        counter, count = f"i{self.loops}", self.random.randint(0, 3)
        body = self.statements(depth - 1)
        leave = f"if ({self.pure(2)}) {self.pick('break', 'continue')};"
        if kind == 4:
            return f"for (int {counter} = 0; {counter} < {count}; {counter}++) {{ {leave} {body} }}"
        if kind == 5:
            return f"int {counter} = {count}; while ({counter}-- > 0) {{ {body} {leave} }}"
        return f"int {counter} = 0; do {{ {body} {leave} }} while (++{counter} < {count});"

    def statements(self, depth):
        return "\n  ".join(self.statement(depth) for _ in range(self.random.randint(1, 2)))

    def body(self):
        declarations = " ".join(f"int {name} = {self.random.randint(-5, 9)};" for name in VARIABLES)
        return declarations + "\n  " + "\n  ".join(self.statement(2) for _ in range(4))


def compiled(bodies):
    """One C program for all bodies: a line of numbers for each."""
    functions = []
    for i, body in enumerate(bodies):
        show = " ".join("%d" for _ in range(6))
        functions.append(f"static void f{i}(atomic_int *x, atomic_int *y) {{\n  {body}\n"
                         f'  printf("{show}\\n", a, b, c, d, *x, *y);\n}}\n')
    calls = "\n".join(f"  {{ atomic_int x = 1, y = 2; f{i}(&x, &y); }}" for i in range(len(bodies)))
    return ("#include <stdatomic.h>\n#include <stdio.h>\n" + "".join(functions) +
            f"int main(void) {{\n{calls}\n  return 0;\n}}\n")


def litmus(number, body):
    condition = " /\\ ".join([f"0:{name}=0" for name in VARIABLES] + [f"{name}=0" for name in LOCATIONS])
    return (f"C sequential-{number}\n{{ x = 1; y = 2; }}\n\nP0 (atomic_int* x, atomic_int* y) {{\n"
            f"  {body}\n}}\n\nexists ({condition})\n")


def run_compiled(cc, folder, bodies):
    source, binary = folder / "all.c", folder / "all"
    source.write_text(compiled(bodies))
    subprocess.run([cc, "-std=c17", "-fwrapv", "-w", "-O1", str(source), "-o", str(binary)],
                   check=True)
    output = subprocess.run([str(binary)], check=True, capture_output=True, text=True, timeout=60)
    return [[int(word) for word in line.split()] for line in output.stdout.splitlines()]


def run_warpsan(warpsan, folder, bodies):
    files = []
    for i, body in enumerate(bodies):
        files.append(folder / f"{i:04}.litmus")
        files[-1].write_text(litmus(i, body))
    command = [warpsan, "check", "--format", "json", "--no-witness", "--property", "program",
               "--unroll", "64", "--model", "rc11", *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    results = {json.loads(line)["input"]: json.loads(line) for line in done.stdout.splitlines()}
    return [results.get(str(file)) for file in files], done.stderr


def state_of(result):
    if result is None or not result["complete"] or len(result["states"]) != 1:
        return result and [result.get("incomplete"), result["states"]]
    state = result["states"][0]
    return [state[f"P0:{name}"] for name in VARIABLES] + [state[name] for name in LOCATIONS]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("warpsan")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"))
    options = parser.parse_args()
    cc = shutil.which(options.cc.split()[-1])
    if not cc:
        print(f"skipped: there is no compiler {options.cc}")
        return SKIPPED
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        bodies = [Program(f"{options.seed}-{i}").body() for i in range(options.count)]
        expected = run_compiled(cc, pathlib.Path(name), bodies)
        found, errors = run_warpsan(options.warpsan, pathlib.Path(name), bodies)
        for i, (want, have) in enumerate(zip(expected, map(state_of, found))):
            passed += want == have
            if want != have:
                failed += 1
                print(f"program {i}: the compiler's ends in {want}, the test in {have}")
        if errors:
            print(errors[:2000])
    return finish(passed, failed if passed else 1)


if __name__ == "__main__":
    sys.exit(main())
