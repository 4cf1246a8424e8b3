#!/usr/bin/env python3
"""Measures warpsan on inputs that grow, and prints tables.

usage: run.py WARPSAN [--tables growth,kernels,marks,suite,start] [--family NAME]... [--models ptx,cuda,tso,sc]
              [--repeat N] [--timeout S]

CPU seconds are the least of --repeat runs. Where the number of executions is known, another one is an
error and the exit status is 1. Rates are no test: they depend on the machine.
"""
import argparse
import csv
import dataclasses
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

import inputs
import kernels

ROOT = pathlib.Path(__file__).resolve().parents[1]
TIME = shutil.which("time")  # GNU time: the kernel counts the memory of whoever starts a process


@dataclasses.dataclass
class Run:
    results: list  # one JSON object for each input
    seconds: float
    kilobytes: int  # 0: unknown


# --- running


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def spent(command, timeout):
    """CPU seconds and the output of one run; None if it was stopped."""
    before = children_seconds()
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, None
    return children_seconds() - before, done


def run_once(command, timeout):
    measured = [TIME, "-f", "peak %M", *command] if TIME else command
    seconds, done = spent(measured, timeout)
    if done is None:
        return None
    results = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    peak = [line.split()[1] for line in done.stderr.splitlines() if line.startswith("peak ")]
    return Run(results, seconds, int(peak[0]) if peak else 0)


def measure(options, model, files, *more):
    """The quickest of some runs; None if one did not end."""
    command = [options.warpsan, "check", "--format", "json", "--model", model, *more, *files]
    best = None
    for _ in range(options.repeat):
        run = run_once(command, options.timeout)
        if run is None:
            return None
        if best is None or run.seconds < best.seconds:
            best = run
    return best


# --- tables


def print_table(title, head, rows):
    print(f"\n{title}\n")
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(cell.rjust(width) if i else cell.ljust(width)
                        for i, (cell, width) in enumerate(zip(row, widths))).rstrip())


def rate(count, seconds):
    return f"{count / seconds:,.0f}" if seconds >= 0.005 else "-"


def row_of(family, size, model, run):
    """Cells of the table of growth; the last one says what is wrong."""
    name = [family.name, str(size), model]
    if run is None or not run.results:
        return name + ["-"] * 7 + ["no end" if run is None else "no result"]
    result, expected = run.results[0], family.count(size, model)
    problem = ""
    if not result["complete"]:
        problem = f"incomplete: {result['incomplete']}"
    elif expected not in (None, result["executions"]) or result["duplicates"]:
        problem = "WRONG"
    return name + [f"{result['executions']:,}", "-" if expected is None else f"{expected:,}",
                   f"{result['blocked']:,}", str(result["duplicates"]), f"{run.seconds:.4f}",
                   rate(result["executions"], run.seconds),
                   f"{run.kilobytes / 1024:.1f}" if run.kilobytes else "-", problem]


GROWTH_HEAD = ["input", "size", "model", "executions", "expected", "blocked", "dup.", "CPU s",
               "executions/s", "peak MB", ""]


def growth(options, folder):
    rows = []
    for family in inputs.FAMILIES.values():
        if options.family and family.name not in options.family:
            continue
        for size in family.sizes:
            file = folder / "input.litmus"
            file.write_text(family.text(size))
            for model in options.models:
                if model in family.models:
                    rows.append(row_of(family, size, model, measure(options, model, [str(file)])))
    print_table("Growth", GROWTH_HEAD, rows)
    return all(not row[-1] for row in rows)


# --- kernels


def kernel_row(name, size, expected, run):
    if run is None or not run.results:
        return [name, size] + ["-"] * 5 + ["no end" if run is None else "no result"]
    result = run.results[0]
    problem = ""
    if not result["complete"]:
        problem = f"incomplete: {result['incomplete']}"
    elif result["findings"] or expected not in (None, result["executions"]):
        problem = "WRONG"
    elif run.seconds > kernels.GOAL_SECONDS:
        problem = "TOO SLOW"
    return [name, size, f"{result['executions']:,}", "-" if expected is None else f"{expected:,}",
            f"{result['blocked']:,}", f"{run.seconds:.3f}",
            f"{run.kilobytes / 1024:.1f}" if run.kilobytes else "-", problem]


def kernel_table(options, folder):
    rows = []
    for name, size, launch, expected in kernels.LAUNCHES:
        run = measure(options, "ptx", [str(kernels.FOLDER / f"{name}.ptx")], "--no-witness", "--launch", launch)
        rows.append(kernel_row(name, size, expected, run))
    print_table(f"Kernels; none should take more than {kernels.GOAL_SECONDS} s",
                ["kernel", "size", "executions", "expected", "blocked", "CPU s", "peak MB", ""], rows)
    return all(not row[-1] for row in rows)


# Ten times what GenMC 0.11 explores in a second (RC11 or the faster of its models).
MARKS = (("SB", 16, 140_000), ("writers", 9, 480_000), ("increments", 9, 90_000),
         ("readers", 18, 230_000))


def marks(options, folder):
    rows = []
    for name, size, goal in MARKS:
        family = inputs.FAMILIES[name]
        file = folder / "input.litmus"
        file.write_text(family.text(size))
        for model in options.models:
            run = measure(options, model, [str(file)])
            row = row_of(family, size, model, run)
            reached = run is not None and run.results[0]["executions"] / run.seconds >= goal
            rows.append(row[:4] + row[7:9] + [f"{goal:,}", "reached" if reached else "MISSED"])
    print_table("Marks: ten times the rate of the best other checker",
                GROWTH_HEAD[:4] + GROWTH_HEAD[7:9] + ["goal", ""], rows)
    for rival in ("genmc", "herd7"):
        if not shutil.which(rival):
            print(f"{rival} is not on PATH: not compared")
    return True


# --- the public suite


SUITE_MODELS = {"ptx-v6.0": "ptx60", "ptx-v7.5": "ptx", "tso": "tso", "rc11": "rc11", "c11": "c11"}
SUITE_DIALECTS = {"tso": "X86", "rc11": "C", "c11": "C"}
SUITE_GOALS = {"PTX": 0.5, "X86": 0.3, "C": 0.06}


def find_suite():
    shared = pathlib.Path(os.environ.get("WARPSAN_SHARED", ROOT.parent / "shared"))
    suite = shared / "suites" / "dat3m"
    return suite if suite.is_dir() else None


def suite_groups(suite):
    """(dialect, model, property) -> files."""
    groups = {}
    with open(suite / "expected.tsv", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            model = SUITE_MODELS.get(row["model"].removesuffix(".cat"))
            if model:
                key = (SUITE_DIALECTS.get(model, "PTX"), model, row["property"])
                groups.setdefault(key, []).append(str((suite / row["path"]).resolve()))
    return groups


def suite_rows(options, suite):
    seconds, counts, each = {}, {}, {}
    for (dialect, model, question), files in suite_groups(suite).items():
        more = [] if question == "program_spec" else ["--property", question]
        run = measure(options, model, files, *more)
        if run is None:
            continue
        seconds[dialect] = seconds.get(dialect, 0) + run.seconds
        counts[dialect] = counts.get(dialect, 0) + len(files)
        each.setdefault(dialect, []).extend(result["seconds"] for result in run.results)
    for dialect, goal in SUITE_GOALS.items():
        if dialect in seconds:
            times = sorted(each[dialect])
            yield [dialect, str(counts[dialect]), f"{seconds[dialect]:.3f}", f"{goal:g}",
                   f"{times[len(times) // 2] * 1e3:.3f}", f"{times[-1] * 1e3:.1f}"]


def suite(options, folder):
    found = find_suite()
    if not found:
        print("\nPublic suite: skipped, neither WARPSAN_SHARED nor ../shared has it")
        return True
    print_table("Public suite, one process for each model and property",
                ["rows", "count", "CPU s", "goal", "median ms", "slowest ms"],
                list(suite_rows(options, found)))
    return True


# --- one small file


def start(options, folder, runs=100):
    file = folder / "small.litmus"
    file.write_text(inputs.FAMILIES["SB"].text(2))
    rows = []
    for name, command in (("/bin/true", ["/bin/true"]),
                          ("warpsan version", [options.warpsan, "version"]),
                          ("warpsan check", [options.warpsan, "check", str(file)])):
        total = sum(spent(command, options.timeout)[0] or 0 for _ in range(runs))
        rows.append([name, f"{total / runs * 1e3:.2f}"])
    print_table(f"One command on one small file, mean of {runs}", ["command", "CPU ms"], rows)
    return True


TABLES = {"growth": growth, "kernels": kernel_table, "marks": marks, "suite": suite, "start": start}


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("warpsan")
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--family", action="append", choices=list(inputs.FAMILIES))
    parser.add_argument("--models", default=",".join(inputs.MODELS))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=60)
    options = parser.parse_args()
    options.models = options.models.split(",")
    return options


def main():
    options = parse_options()
    is_right = True
    with tempfile.TemporaryDirectory() as folder:
        for name in options.tables.split(","):
            is_right &= TABLES[name](options, pathlib.Path(folder))
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
