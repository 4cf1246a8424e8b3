"""The public litmus suite and what the command says about it.

The suite is found through the environment variable WARPSAN_SHARED or in ../shared beside the
checkout; its README says how to read the tables.
"""
import csv
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from runner import SKIPPED  # noqa: E402

MODELS = {"ptx-v6.0.cat": "ptx60", "ptx-v7.5.cat": "ptx", "tso.cat": "tso", "rc11.cat": "rc11",
          "c11.cat": "c11"}
STUCK = {"deadlock", "livelock"}
TIMEOUT_SECONDS = "60"  # for one test: enough for a slow machine with sanitizers


def find_suite():
    """The folder of the suite; ends the run as skipped if it is not here."""
    shared = pathlib.Path(os.environ.get("WARPSAN_SHARED") or ROOT.parent / "shared")
    suite = (shared / "suites" / "dat3m").resolve()
    if not suite.is_dir():
        print(f"skipped: there is no suite in {suite}")
        sys.exit(SKIPPED)
    return suite


def read_rows(suite, table):
    """The rows of a table that are about models which the command has."""
    with open(suite / table) as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if row["model"] in MODELS]


def check(warpsan, suite, model, row_property, paths, options=()):
    """path -> what the command prints about it."""
    asked = "program" if row_property == "program_spec" else row_property
    command = [warpsan, "check", "--format", "json", "--model", model, "--property", asked,
               "--no-witness", "--timeout", TIMEOUT_SECONDS, *options]
    done = subprocess.run(command + paths, cwd=suite, text=True, stdout=subprocess.PIPE)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    return {result["input"]: result for result in results}


def verdict(row_property, result):
    """PASS or FAIL; UNKNOWN where the answer is not certain, and why."""
    if result is None:
        return "no result"
    if result["incomplete"]:
        return f"UNKNOWN ({result['incomplete']})"
    if row_property == "program_spec":
        return "PASS" if result["holds"] else "FAIL"
    return "FAIL" if any(f["rule"] in STUCK for f in result["findings"]) else "PASS"


def judge_rows(warpsan, suite, rows, options=()):
    """(row, our verdict) for each row. One call of the command for each model and property."""
    groups = {}
    for row in rows:
        groups.setdefault((row["model"], row["property"]), []).append(row)
    for (model, row_property), members in groups.items():
        paths = sorted({row["path"] for row in members})
        results = check(warpsan, suite, MODELS[model], row_property, paths, options)
        for row in members:
            yield row, verdict(row_property, results.get(row["path"]))
