#!/usr/bin/env python3
"""Compiles algorithms of CUB from the CUDA toolkit's own headers, runs them, and checks what they compute.

usage: run_cub.py WARPSAN [NAME...]

Each tests/cub/NAME.cu has launch lines and a line `// check: BUFFERS = FUNCTION(BUFFER)`: FUNCTION below says,
in a few lines of Python, what must come out, also with a weak memory. Nothing is found but the advice that a
line `// advice: torn-access` names. Skipped where there is no nvcc.
"""
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from runner import SKIPPED, run_cases

ROOT = pathlib.Path(__file__).resolve().parent / "cub"
FLAGS = ["-ptx", "-lineinfo", "-arch=sm_90", "-std=c++17"]
TIMEOUT_SECONDS = 300
ADVICE = re.compile(r"^// advice: torn-access$", re.M)
CHECK = re.compile(r"^// check: (.+) = (\w+)\((\w+)\)$", re.M)
MASK = (1 << 64) - 1
LETTERS = {"u8": "B", "u32": "I", "s32": "i", "u64": "Q"}


def random_numbers(seed, bits, count):
    """`random:SEED` of launch lines: SplitMix64, its low bits."""
    numbers = []
    for i in range(1, count + 1):
        z = (seed + i * 0x9E3779B97F4A7C15) & MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        numbers.append((z ^ z >> 31) & (1 << bits) - 1)
    return numbers


def exclusive_sum(values):
    sums, total = [], 0
    for value in values:
        sums.append(total)
        total = (total + value) & 0xFFFFFFFF
    return [sums]


def exclusive_sum_of_pairs(values):
    sums, totals = [], [0, 0]
    for i in range(0, len(values), 2):
        sums += totals
        totals = [(totals[0] + values[i]) & MASK, (totals[1] + values[i + 1]) & MASK]
    return [sums]


def below_half(values):
    chosen = [value for value in values if value < 0x80000000]
    return [chosen + [0] * (len(values) - len(chosen)), [len(chosen)]]


def byte_counts(values):
    return [[values.count(byte) for byte in range(256)]]


FUNCTIONS = {
    "exclusive_sum": exclusive_sum,
    "exclusive_sum_of_pairs": exclusive_sum_of_pairs,
    "sum": lambda values: [[sum(values) & 0xFFFFFFFF]],
    "sorted": lambda values: [sorted(values)],
    "below_half": below_half,
    "byte_counts": byte_counts,
}


def expectation(text):
    """[(buffer, letter of its elements, their values)]"""
    names, function, source = CHECK.search(text).groups()
    kind, count, seed = re.search(rf"\b{source}:(\w+)\[(\d+)\]=random:(\d+)", text).groups()
    results = FUNCTIONS[function](random_numbers(int(seed), int(kind[1:]), int(count)))
    kinds = [re.search(rf"\b{name}:(\w+)\[", text)[1] for name in names.split(", ")]
    return [(name, LETTERS[kind], values) for name, kind, values in zip(names.split(", "), kinds, results)]


def run(command, source, folder):
    expected = expectation(source)
    dumps = [f"--dump={name}={folder}/{name}" for name, *_ in expected]
    try:
        done = subprocess.run([*command, *dumps], capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    except subprocess.TimeoutExpired:
        return f"no end after {TIMEOUT_SECONDS} s"
    if done.returncode != 0:
        return f"{done.stdout}{done.stderr}exit {done.returncode}"
    if done.stdout.count(": advice: ") != len(ADVICE.findall(source)):
        return f"expected the advice that the source names, found\n{done.stdout}"
    for name, letter, values in expected:
        found = struct.unpack(f"<{len(values)}{letter}", pathlib.Path(folder, name).read_bytes())
        wrong = [i for i, value in enumerate(values) if found[i] != value]
        if wrong:
            i = wrong[0]
            return f"{name}: {len(wrong)} elements differ, the first [{i}]: {found[i]}, expected {values[i]}"
    return None


def run_case(source):
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder, source.stem + ".ptx")
        done = subprocess.run([NVCC, *FLAGS, str(source), "-o", str(ptx)], capture_output=True, text=True)
        if done.returncode != 0:
            return done.stdout + done.stderr
        command = [WARPSAN, "run", str(ptx), "--launch-from", str(source)]
        for options in ([], ["--weak"]):
            error = run([*command, *options], source.read_text(), folder)
            if error:
                return f"{' '.join(options)}: {error}"
    return None


NVCC = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
if not NVCC:
    print("expected nvcc on PATH or in /usr/local/cuda/bin")
    sys.exit(SKIPPED)
WARPSAN = os.path.abspath(sys.argv[1])
wanted = sys.argv[2:]
run_cases([path for path in sorted(ROOT.glob("*.cu")) if not wanted or path.stem in wanted], run_case)
