#!/usr/bin/env python3
"""Holds the C dialect against a C compiler, on random programs of one thread.

usage: sequential.py WARPSAN [--seed S] [--count N] [--cc CC]

Each program computes with variables and atomics of all integer types: expressions of all precedences,
conversions, side effects, short circuits, loops, conditions, jumps. The compiler's program prints what its variables hold in the end; the
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
SIGNED = ("int", "long", "short", "char", "int8_t", "int16_t", "int32_t", "int64_t")
TYPES = SIGNED + ("unsigned", "unsigned char", "unsigned short", "uint8_t", "uint16_t", "uint32_t")
WIDE = ("uint64_t", "size_t", "unsigned long")  # which this dialect does not divide
BATCH = 50


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = self.labels = 0
        pool = self.pick(("int",), TYPES, TYPES + WIDE)
        self.types = {name: self.pick(*pool) for name in VARIABLES + LOCATIONS}
        if len(pool) > 1 and self.random.random() < 0.3:
            self.types["d"] = "bool"
        self.divides = not any(type in WIDE for type in self.types.values())
        self.is_plain = pool == ("int",)

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
            sign = self.pick("-", "~", "!", "+")
            return f"- (({self.wrapped(depth)}) & 1023)" if sign == "-" else f"{sign} {self.wrapped(depth)}"
        if kind == 4:
            return f"{self.wrapped(depth)} ? {self.pure(depth - 1)} : {self.wrapped(depth)}"
        if kind == 5 and not self.is_plain:
            return f"({self.pick(*self.types.values())}) ({self.pure(depth - 1)})"
        operator = self.pick(*(name for name in BINARY if self.divides or name not in "/%"))
        left, right = self.wrapped(depth), self.wrapped(depth)
        if operator in ("/", "%"):
            right = str(self.random.randint(1, 7))
        # Where types differ values get large; a sum of signed ones must not overflow.
        if operator in ("+", "-", "*") and not self.is_plain:
            left, right = f"(({left}) & 1023)", f"(({right}) & 1023)"
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
        if self.types[location] != self.types[variable]:
            return self.pick(f"*{location}", f"atomic_exchange({location}, {variable})",
                             f"atomic_fetch_sub({location}, {variable})", f"atomic_fetch_or({location}, {variable})",
                             f"{variable}--", f"++{variable}", f"({variable} = *{location})")
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
        return f"{target} = {target} % 100;" if self.divides else f"{target} = {target} & 127;"

    def clip_all(self):
        return " ".join(self.clip(name) for name in (*VARIABLES, "*x", "*y"))

    def statement(self, depth):
        kind = self.random.randrange(9) if depth else 0
        if kind <= 2:
            return self.assignment() + " " + self.clip_all()
        if kind == 3:
            other = f" else {{ {self.statements(depth - 1)} }}" if self.random.random() < 0.5 else ""
            return f"if ({self.value(2)}) {{ {self.statements(depth - 1)} }}{other} {self.clip_all()}"
        if kind == 7:
            return self.switch(depth) + " " + self.clip_all()
        if kind == 8:
            self.labels += 1
            label = f"done{self.labels}"
            return f"if ({self.value(2)}) goto {label}; {self.statements(depth - 1)}\n  {label}: {self.clip_all()}"
        self.loops += 1
        counter, count = f"i{self.loops}", self.random.randint(0, 3)
        body = self.statements(depth - 1)
        leave = f"if ({self.pure(2)}) {self.pick('break', 'continue')};"
        if kind == 4:
            return f"for (int {counter} = 0; {counter} < {count}; {counter}++) {{ {leave} {body} }}"
        if kind == 5:
            return f"int {counter} = {count}; while ({counter}-- > 0) {{ {body} {leave} }}"
        return f"int {counter} = 0; do {{ {body} {leave} }} while (++{counter} < {count});"

    def switch(self, depth):
        values = self.random.sample((-1, 0, 1, 2, 3, 5), 3)
        cases = [f"case {value}: {self.statements(depth - 1)}" + self.pick("", " break;") for value in values]
        if self.random.random() < 0.6:
            cases.insert(self.random.randint(0, 3), f"default: {self.statements(depth - 1)}" + self.pick("", " break;"))
        return f"switch ({self.pure(1)}) {{ " + "\n  ".join(cases) + " }"

    def statements(self, depth):
        return "\n  ".join(self.statement(depth) for _ in range(self.random.randint(1, 2)))

    def body(self):
        declarations = " ".join(f"{self.types[name]} {name} = {self.random.randint(-5, 9)};" for name in VARIABLES)
        return declarations + "\n  " + "\n  ".join(self.statement(2) for _ in range(4))


def parameters(types):
    return ", ".join(f"_Atomic({types[name]})* {name}" for name in LOCATIONS)


def compiled(programs):
    """One C program for all programs: a line of numbers for each."""
    functions = []
    for i, (body, types) in enumerate(programs):
        show = " ".join("%lld" for _ in range(6))
        values = ", ".join(f"(long long){name}" for name in ("a", "b", "c", "d", "*x", "*y"))
        functions.append(f"static void f{i}({parameters(types)}) {{\n  {body}\n"
                         f'  printf("{show}\\n", {values});\n}}\n')
    calls = "\n".join(f"  {{ _Atomic({types['x']}) x = 1; _Atomic({types['y']}) y = 2; f{i}(&x, &y); }}"
                      for i, (_, types) in enumerate(programs))
    return ("#include <stdatomic.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
            "#include <stdio.h>\n" + "".join(functions) +
            f"int main(void) {{\n{calls}\n  return 0;\n}}\n")


def litmus(number, body, types):
    condition = " /\\ ".join([f"0:{name}=0" for name in VARIABLES] + [f"{name}=0" for name in LOCATIONS])
    return (f"C sequential-{number}\n{{ {types['x']} x = 1; {types['y']} y = 2; }}\n\nP0 ({parameters(types)}) {{\n"
            f"  {body}\n}}\n\nexists ({condition})\n")


def run_compiled(cc, folder, programs):
    source, binary = folder / "all.c", folder / "all"
    source.write_text(compiled(programs))
    subprocess.run([cc, "-std=c17", "-fwrapv", "-w", "-O1", str(source), "-o", str(binary)],
                   check=True)
    output = subprocess.run([str(binary)], check=True, capture_output=True, text=True, timeout=60)
    return [[int(word) for word in line.split()] for line in output.stdout.splitlines()]


def run_warpsan(warpsan, folder, programs):
    files = []
    for i, (body, types) in enumerate(programs):
        files.append(folder / f"{i:04}.litmus")
        files[-1].write_text(litmus(i, body, types))
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
        makers = [Program(f"{options.seed}-{i}") for i in range(options.count)]
        programs = [(maker.body(), maker.types) for maker in makers]
        expected = run_compiled(cc, pathlib.Path(name), programs)
        found, errors = run_warpsan(options.warpsan, pathlib.Path(name), programs)
        for i, (want, have) in enumerate(zip(expected, map(state_of, found))):
            passed += want == have
            if want != have:
                failed += 1
                print(f"{litmus(i, *programs[i])}program {i}: the compiler's ends in {want}, the test in {have}")
        if errors:
            print(errors[:2000])
    return finish(passed, failed if passed else 1)


if __name__ == "__main__":
    sys.exit(main())
