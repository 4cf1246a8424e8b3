#!/usr/bin/env python3
"""What must not change the number of executions, does not.

usage: symmetry.py WARPSAN [OPTION...]     OPTIONs are passed on: --interpret

Each test of tests/litmus is rewritten: its threads in another order, its locations under other
names, its blocks under other numbers, beside a thread that shares nothing with it, and beside two
threads that share a location of their own. The last doubles the number of executions (the reader sees
the write or does not), the others leave it as it is.
"""
import pathlib
import re
import sys

from counts import MODELS, check, executions, litmus_tests
from runner import finish

UNRELATED = (["P{}@cta 901,gpu 0", "st.relaxed.gpu unrelated, 1", "ld.relaxed.gpu r0, unrelated"],)
WRITER_AND_READER = (["P{}@cta 901,gpu 0", "st.relaxed.gpu unrelated, 1"],
                     ["P{}@cta 902,gpu 0", "ld.relaxed.gpu r0, unrelated"])


class Test:
    """A litmus test in parts: what stands before the table, its columns, and the condition."""

    def __init__(self, text):
        self.head, begin, rest = text.partition("{")
        declarations, end, rest = rest.partition("}")
        self.declarations = begin + declarations + end
        lines = rest.strip("\n").split("\n")
        table = [line.rstrip().rstrip(";").split("|") for line in lines if line.rstrip().endswith(";")]
        self.condition = "\n".join(line for line in lines if not line.rstrip().endswith(";"))
        self.columns = [[cell.strip() for cell in column] for column in zip(*table)]

    def text(self):
        height = max(len(column) for column in self.columns)
        rows = zip(*(column + [""] * (height - len(column)) for column in self.columns))
        table = "\n".join(" " + " | ".join(row) + " ;" for row in rows)
        return f"{self.head}{self.declarations}\n{table}\n{self.condition}\n"

    def replace(self, pattern, replacement):
        self.declarations = re.sub(pattern, replacement, self.declarations)
        self.condition = re.sub(pattern, replacement, self.condition)
        self.columns = [[re.sub(pattern, replacement, cell) for cell in column]
                        for column in self.columns]


def with_threads_reversed(text):
    test = Test(text)
    last = len(test.columns) - 1
    test.columns.reverse()
    test.replace(r"\bP(\d+)(?=[:@\s]|$)", lambda match: f"P{last - int(match.group(1))}")
    return test.text()


def with_locations_renamed(text):
    test = Test(text)
    names = re.findall(r"(?:[{;]|^)\s*(\w+)\s*(?=[=@;}\[])", test.declarations)
    for name in set(names):
        test.replace(rf"(?<![\w.:]){name}(?![\w.:])", f"the_{name}")
    return test.text()


def with_blocks_renumbered(text):
    test = Test(text)
    test.replace(r"\bcta (\d+)", lambda match: f"cta {50 - int(match.group(1))}")
    return test.text()


def beside(text, threads):
    test = Test(text)
    for thread in threads:
        test.columns.append([thread[0].format(len(test.columns)), *thread[1:]])
    test.declarations = test.declarations.rstrip("}") + " unrelated=0; }"
    return test.text()


VARIANTS = {
    "threads reversed": (with_threads_reversed, 1),
    "locations renamed": (with_locations_renamed, 1),
    "blocks renumbered": (with_blocks_renumbered, 1),
    "beside a thread": (lambda text: beside(text, UNRELATED), 1),
    "beside a writer and a reader": (lambda text: beside(text, WRITER_AND_READER), 2),
}


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    options = ["--no-witness", *sys.argv[2:]]
    originals = litmus_tests()
    passed = failed = 0
    for model in MODELS:
        expected = {n: executions(r) for n, r in check(warpsan, originals, model, options).items()}
        for variant, (rewrite, factor) in VARIANTS.items():
            texts = {name: rewrite(text) for name, text in originals.items()}
            found = check(warpsan, texts, model, options)
            for name in originals:
                count = executions(found.get(name))
                is_right = isinstance(count, int) and count == factor * expected[name]
                passed += is_right
                failed += not is_right
                if not is_right:
                    print(f"FAILED {name}, {variant}, under {model}: {expected[name]} executions, "
                          f"then {count}")
    finish(passed, failed)


if __name__ == "__main__":
    main()
