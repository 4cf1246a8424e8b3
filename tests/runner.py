"""What the test scripts share: running cases side by side, and the last line `N passed, N failed`."""
import concurrent.futures
import os
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


def finish(passed, failed):
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
