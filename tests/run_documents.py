#!/usr/bin/env python3
"""Runs the commands that the documents show, and compares what they print with what is shown.

usage: run_documents.py WARPSAN [FILE...]

In README.md and docs/**/*.md, a block fenced by ```console holds commands, each after `$ `, and
below each what it prints (standard error included). Commands that call `warpsan`, at the start or
after a `|`, are run in the project's root; others, such as the installation of packages, are not. A
line `...` of the output stands for any number of lines, and `...` within a line for any text.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from runner import run_cases

ROOT = pathlib.Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^( *)```console\n(.*?)^\1```", re.M | re.S)
CALL = re.compile(r"(^|[|;&]\s*)(?:\./)?(?:build/)?warpsan\b")
TIMEOUT_SECONDS = 60


class Example:
    def __init__(self, file, line, command, output):
        self.file, self.line, self.command, self.output = file, line, command, output

    def __str__(self):
        return f"{self.file}:{self.line}: {self.command}"


def examples_of(file):
    text = (ROOT / file).read_text()
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start(2)) + 1
        indent = len(match.group(1))
        yield from examples_of_block(file, line, [t[indent:] for t in match.group(2).splitlines()])


def examples_of_block(file, first_line, lines):
    example = None
    for line, text in enumerate(lines, first_line):
        if example and example.command.endswith("\\"):
            example.command = example.command[:-1] + text.lstrip("> ")
        elif text.startswith("$ "):
            example = Example(file, line, text[2:], [])
            yield example
        elif example:
            example.output.append(text)


def pattern_of(lines):
    """`...` alone in a line is any lines, within a line any text."""
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            parts.append(".*".join(re.escape(piece) for piece in line.rstrip().split("...")) + r"[ ]*\n")
    return re.compile("".join(parts) + r"\s*\Z")


def run_example(folder, example):
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    command = CALL.sub(lambda match: match.group(1) + "warpsan", example.command)
    try:
        done = subprocess.run(["sh", "-c", command], cwd=ROOT, env=environment, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"no end after {TIMEOUT_SECONDS} s"
    output = done.stdout if done.stdout.endswith("\n") or not done.stdout else done.stdout + "\n"
    if pattern_of(example.output).match(output):
        return None
    return "shown:\n" + "\n".join(example.output) + "\nprinted:\n" + output


def find_examples(files):
    if not files:
        documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
        files = [path.relative_to(ROOT) for path in documents if path.exists()]
    return [e for file in files for e in examples_of(file) if CALL.search(e.command)]


def main():
    warpsan = pathlib.Path(sys.argv[1]).resolve()
    # The command of this build is the one that a shell finds.
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "warpsan").symlink_to(warpsan)
        examples = find_examples(sys.argv[2:])
        run_cases(examples, lambda example: run_example(folder, example))


if __name__ == "__main__":
    main()
