#!/usr/bin/env python3
"""Runs kernels on the CPU and compares what they leave in their buffers with what an H200 left.

usage: run_h200.py WARPSAN [NAME...]     only kernels whose name contains a NAME

tests/h200/kernels has kernels of our own; tests/h200/triton has launch lines and results of kernels that
are no part of the project: they are looked for in $WARPSAN_SHARED/ptx/triton or ../shared/ptx/triton, and
skipped if they are not there. NAME.h200 was written on the GPU by tests/h200/record.c: for each changed
buffer `buffer NAME TYPE COUNT HASH` and its first bytes as words of 64 bits, the lowest byte first.

Buffers must be equal bit for bit. A line `tolerance: 0x1p-20` beside the launch line allows floating-point
elements of a kernel with approximate instructions that relative difference: the bounds of the manual
for these instructions, not those of our code, say how much. A line `finding: RULE` names a rule of which
findings are expected; no others may come out.
"""
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

from runner import Skip, run_cases

ROOT = pathlib.Path(__file__).resolve().parent / "h200"
TIMEOUT_SECONDS = 120
BUFFER = re.compile(r"^buffer (\S+) (\S+) (\d+) ([0-9a-f]+)$")
TOLERANCE = re.compile(r"^(?://)?\s*tolerance:\s*(\S+)", re.M)
FINDING = re.compile(r"^(?://)?\s*finding:\s*(\S+)", re.M)
FLOAT_FORMATS = {"f16": "e", "f32": "f", "f64": "d", "b32": "f"}  # approximations write floats as b32


def shared_folder():
    return pathlib.Path(os.environ.get("WARPSAN_SHARED", ROOT.parents[2] / "shared")) / "ptx" / "triton"


class Case:
    def __init__(self, recorded):
        self.recorded = recorded
        self.is_own = recorded.parent.name == "kernels"
        self.lines = recorded.with_suffix(".cu" if self.is_own else ".launch")
        self.ptx = recorded.with_suffix(".ptx") if self.is_own else shared_folder() / f"{recorded.stem}.ptx"

    def __str__(self):
        return f"{self.recorded.parent.name}/{self.recorded.stem}"


def read_recorded(path):
    """[(name, type, count, hash, first bytes)]"""
    buffers = []
    for line in path.read_text().splitlines():
        match = BUFFER.match(line)
        if match:
            buffers.append([match[1], match[2], int(match[3]), int(match[4], 16), b""])
        else:
            buffers[-1][4] += b"".join(struct.pack("<Q", int(word, 16)) for word in line.split())
    return buffers


def fnv_1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def is_near(found, recorded, tolerance):
    if math.isnan(recorded) or math.isinf(recorded) or recorded == 0:
        return str(found) == str(recorded) or abs(found) < sys.float_info.min
    return abs(found - recorded) <= tolerance * abs(recorded)


def compare(data, buffer, tolerance):
    name, kind, count, hash_value, first = buffer
    first = first[:len(data)]
    size = len(data) // count
    if tolerance == 0 or kind not in FLOAT_FORMATS:
        if fnv_1a(data) == hash_value:
            return None
        wrong = [i for i in range(len(first) // size) if data[i * size:][:size] != first[i * size:][:size]]
    else:
        letter = FLOAT_FORMATS[kind]
        usable = len(first) // size
        found = struct.unpack(f"<{usable}{letter}", data[:usable * size])
        recorded = struct.unpack(f"<{usable}{letter}", first[:usable * size])
        wrong = [i for i in range(usable) if not is_near(found[i], recorded[i], tolerance)]
        if not wrong:
            return None
    if not wrong:
        return f"{name}: the recorded first bytes agree, those behind them do not"
    lines = [f"{name}: {len(wrong)} of {count} elements differ"]
    for i in wrong[:8]:
        found, recorded = data[i * size:][:size], first[i * size:][:size]
        lines.append(f"  [{i}] 0x{found[::-1].hex()}, on the H200 0x{recorded[::-1].hex()}")
    return "\n".join(lines)


def rules_of(output):
    """The rules of the findings of the one result that is printed."""
    return {finding["rule"] for finding in json.loads(output)["findings"]}


def run_case(case):
    if not case.ptx.is_file():
        raise Skip(f"no {case.ptx.name} in {case.ptx.parent}")
    lines = case.lines.read_text()
    tolerance = TOLERANCE.search(lines)
    tolerance = float.fromhex(tolerance[1]) if tolerance else 0
    buffers = read_recorded(case.recorded)
    with tempfile.TemporaryDirectory() as folder:
        dumps = [f"--dump={name}={folder}/{name}" for name, *_ in buffers]
        command = [WARPSAN, "run", str(case.ptx), "--launch-from", str(case.lines), "--format=json", *dumps]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            return f"no end after {TIMEOUT_SECONDS} s"
        if done.returncode not in (0, 1) or rules_of(done.stdout) != set(FINDING.findall(lines)):
            return f"{done.stdout}{done.stderr}exit {done.returncode}"
        differences = [compare(pathlib.Path(folder, buffer[0]).read_bytes(), buffer, tolerance)
                       for buffer in buffers]
    return "\n".join(text for text in differences if text)


WARPSAN = os.path.abspath(sys.argv[1])
cases = [Case(path) for path in sorted(ROOT.glob("*/*.h200"))]
wanted = sys.argv[2:]
run_cases([case for case in cases if not wanted or any(word in str(case) for word in wanted)], run_case)
