#!/usr/bin/env python3
"""Holds `warpsan check` against the brute-force enumerator on random programs.

usage: compare.py WARPSAN DIR [--models ptx60,ptx,...] [--interpret] [--batch N] [--show N]
       compare.py WARPSAN --brute BRUTE [--seed S] [--count N] [--mode MODE] [...]

DIR holds NNNN.litmus and expected.jsonl as BRUTE writes them; with --brute they are generated first,
into a temporary folder. Compared are: executions, duplicates (none), final states with the number
of executions in which each is possible, races, and whether the condition holds. Prints a line per
difference and last `N passed, N failed`; exit status 1 if anything failed.
"""
import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("warpsan")
    parser.add_argument("directory", nargs="?")
    parser.add_argument("--brute")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", default="1000")
    parser.add_argument("--mode", default="all")
    parser.add_argument("--models", default="ptx60,ptx,cuda,rc11,c11,tso,sc")
    parser.add_argument("--interpret", action="store_true")
    parser.add_argument("--batch", type=int, default=200)
    parser.add_argument("--show", type=int, default=50, help="differences printed at most")
    parser.add_argument("--option", action="append", default=[], help="passed on to WARPSAN")
    arguments = parser.parse_args()
    if bool(arguments.brute) == bool(arguments.directory):
        parser.error("expected either DIR or --brute BRUTE")
    return arguments


def generate(arguments, directory):
    command = [arguments.brute, "--seed", arguments.seed, "--count", arguments.count,
               "--mode", arguments.mode, "--out", directory]
    subprocess.run(command, check=True)


def read_expected(directory, models):
    """model -> file -> what the enumerator found."""
    expected = collections.defaultdict(dict)
    with open(os.path.join(directory, "expected.jsonl")) as file:
        for line in file:
            record = json.loads(line)
            if record["model"] in models:
                expected[record["model"]][record["file"]] = record
    return expected


def check(arguments, directory, model, files):
    """file -> what WARPSAN printed."""
    command = [arguments.warpsan, "check", "--format", "json", "--model", model]
    command += ["--interpret"] * arguments.interpret + arguments.option
    paths = [os.path.join(directory, name) for name in files]
    done = subprocess.run(command + paths, capture_output=True, text=True)
    found = {}
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            record = json.loads(line)
            found[os.path.basename(record["input"])] = record
    if len(found) < len(files):
        print(f"warpsan exited with {done.returncode}: {done.stderr.strip()[-500:]}")
    return found


def states_of(record):
    return {json.dumps({k: v for k, v in s.items() if k != "count"}, sort_keys=True): s["count"]
            for s in record["states"]}


def differences_of_states(expected, found):
    want, have = states_of(expected), states_of(found)
    for state in sorted(want.keys() | have.keys()):
        if want.get(state, 0) != have.get(state, 0):
            yield f"state {state}: expected {want.get(state, 0)} times, found {have.get(state, 0)}"


def differences(expected, found):
    if found is None:
        yield "no result"
        return
    if not found.get("complete", True):
        yield f"incomplete: {found.get('incomplete')}"
        return
    for key in ("executions", "holds"):
        if found.get(key) != expected[key]:
            yield f"{key}: expected {expected[key]}, found {found.get(key)}"
    if found.get("duplicates", 0):
        yield f"{found['duplicates']} duplicates"
    yield from differences_of_states(expected, found)
    if "race" in expected:
        race = any(f["rule"] == "data-race" for f in found.get("findings", []))
        if race != expected["race"]:
            yield f"race: expected {expected['race']}, found {race}"


def compare(arguments, directory):
    passed = failed = 0
    expected = read_expected(directory, arguments.models.split(","))
    for model, records in expected.items():
        files = sorted(records)
        for begin in range(0, len(files), arguments.batch):
            batch = files[begin:begin + arguments.batch]
            found = check(arguments, directory, model, batch)
            for name in batch:
                lines = list(differences(records[name], found.get(name)))
                passed += not lines
                failed += bool(lines)
                if lines and failed <= arguments.show:
                    more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
                    print(f"{os.path.join(directory, name)} {model}: {lines[0]}{more}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def main():
    arguments = read_arguments()
    if arguments.directory:
        return compare(arguments, arguments.directory)
    directory = tempfile.mkdtemp(prefix="brute-")
    generate(arguments, directory)
    status = compare(arguments, directory)
    if status:
        print(f"the programs are kept in {directory}")
    else:
        shutil.rmtree(directory)
    return status


if __name__ == "__main__":
    sys.exit(main())
