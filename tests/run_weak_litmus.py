#!/usr/bin/env python3
"""Holds `warpsan run --weak` against the verdicts of the litmus tests in tests/litmus_ptx.

usage: run_weak_litmus.py WARPSAN [NAME...]     only tests whose name contains a NAME

A run shows one execution, so an outcome that the model forbids must be in none of many runs. Of those that
it allows, runs have the ones in which a read takes an older value; the tests named in SHOWN must show theirs.
"""
import pathlib
import sys

from run_litmus_ptx import VERDICT, VIOLATION
from runner import check_json, run_cases

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = "tests/litmus_ptx"
RUNS = 300
TIMEOUT_SECONDS = 120
# Message passing, SB, IRIW, R and RWC as far as they are allowed.
SHOWN = (
    "g03-mp-relaxed-gpu", "g06-mp-release-acquire-cta-other-cta", "g09-mp-release-acquire-cluster-other-cluster",
    "g13-mp-release-relaxed-read", "g14-mp-relaxed-write-acquire", "g17-mp-fence-cta-relaxed-gpu-flag",
    "g27b-barrier-then-fence-cta-publish", "g30-release-sequence-block-atomic", "g32a-red-then-acquire-fence",
    "g38a-spin-lock-no-fence", "g39a-sb-relaxed", "g39c-sb-fence-acq-rel", "g41-sb-fence-sc-cta-other-cta",
    "g42a-sb-fence-sc-one-side", "g43b-sb-two-gpus-fence-sc-gpu", "g52a-iriw-relaxed",
    "g52b-iriw-release-acquire", "g52c-iriw-fence-acq-rel", "g62a-r-fence-acq-rel",
    "g63a-rwc-fence-acq-rel-and-sc", "g74a-warp-mp-nothing", "g77b-cluster-barrier-relaxed-arrive",
)


def run_case(warpsan, file):
    is_allowed = VERDICT.search((ROOT / file).read_text()).group(1) == "allowed"
    command = [warpsan, "run", "--weak", "--runs", str(RUNS), "--format", "json", "--no-races", file]
    result, problem = check_json(command, ROOT, TIMEOUT_SECONDS)
    if problem:
        return problem
    is_found = any(finding["rule"] in VIOLATION for finding in result["findings"])
    if is_found and not is_allowed:
        return "a run shows what the model forbids"
    if is_allowed and not is_found and pathlib.Path(file).stem in SHOWN:
        return f"none of {RUNS} runs shows what the model allows"
    return None


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    names = sys.argv[2:]
    files = sorted((ROOT / FOLDER).glob("*.ptx"))
    cases = [str(path.relative_to(ROOT)) for path in files
             if not names or any(name in path.stem for name in names)]
    run_cases(cases, lambda file: run_case(warpsan, file))


if __name__ == "__main__":
    main()
