"""What the test scripts share: running cases side by side, and the last line `N passed, N failed`."""
import concurrent.futures
import json
import os
import subprocess
import sys

SKIPPED = 77  # exit status that Meson shows as "skipped"


class Skip(Exception):
    """Raised by a check or a case that cannot run here; its text says why."""


def run_cases(cases, run_case):
    """Runs `run_case(case)` for each; it returns None or what failed. Prints, exits."""
    workers = min(4, os.cpu_count() or 1)
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        outcomes = list(pool.map(lambda case: attempt(run_case, case), cases))
    failed = skipped = 0
    for case, (kind, text) in zip(cases, outcomes):
        if kind == "failed":
            failed += 1
            print(f"FAILED {case}\n{text.rstrip()}\n")
        elif kind == "skipped":
            skipped += 1
            print(f"skipped {case}: {text}")
    finish(len(cases) - failed - skipped, failed)


def attempt(run_case, case):
    try:
        text = run_case(case)
    except Skip as reason:
        return "skipped", str(reason)
    return ("failed", text) if text else ("passed", "")


def check_json(command, folder, timeout_seconds):
    """Runs a check of one input, which has to be decided. The result and None, or None and why."""
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", timeout=timeout_seconds)
    except subprocess.TimeoutExpired:
        return None, f"no end after {timeout_seconds} s"
    try:
        results = [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError as error:
        return None, f"invalid JSON: {error}\n{done.stdout}{done.stderr}exit {done.returncode}"
    if len(results) != 1 or done.returncode not in (0, 1):
        return None, f"{done.stdout}{done.stderr}exit {done.returncode}"
    if not results[0].get("complete"):
        return None, f"incomplete: {results[0].get('incomplete')}"
    return results[0], None


def finish(passed, failed):
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
