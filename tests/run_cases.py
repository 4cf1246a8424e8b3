#!/usr/bin/env python3
"""Checks kernels against what their own comments say should be found.

usage: run_cases.py WARPSAN [--run|--weak|--shared] [--every N] [NAME...]

A case is a .ptx or .cu below tests/cases or examples/kernels with lines `// expect: RULE` (a rule, a
sub-rule, `RULE:SUB`, or `clean`), `// accept: RULE,...` (also right), `// where: LINE,LINE` (the finding names
one of them), `// level: cuda` and `// nvcc: FLAGS`. In a .ptx that was compiled from a .cu beside it, all this and the
launch lines are those of the .cu. `clean` demands a complete search without findings. Cases in .cu are
skipped where there is no nvcc.

With `--shared`, the cases are those of $WARPSAN_SHARED/cases, or of ../shared/cases; without them all
is skipped. With `--run`, `warpsan run` is asked instead of `warpsan check`: the bug is to be found in one of
a few seeded runs, and the clean ones in none. Cases with a line `// run: no, BECAUSE` are left out then: one
interleaving does not show what they are about. With `--weak` it is `warpsan run --weak`, and those with `// run: weak`,
or `// needs: weak-memory`, are among them; what follows in the line are further options. Only every N-th case; only those
whose path contains a NAME.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zlib

from runner import SKIPPED, Skip, run_cases

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDERS = ("tests/cases", "examples/kernels")
TIMEOUT_SECONDS = 60
HEADER = re.compile(r"^\s*//\s*(expect|accept|where|level|run|needs|nvcc)\s*:\s*(.*?)\s*$", re.M)
# Words of an expectation that are no rules.
WORDS = {
    "torn-read": {"torn-access"},
    "assertion-failure": {"stale-value", "trap", "assert", "lost-update"},
    "proxy-race": {"data-race"},
    "uninit-barrier": {"uninitialised", "data-race", "barrier-mismatch"},
}
# The shared cases name what was reported about real programs, not rules of ours.
SHARED_WORDS = {
    **WORDS,
    "data-race": {"data-race", "torn-access"},
    "scope-too-narrow": {"data-race:scope-too-narrow", "not-atomic-here", "stale-value"},
    "lost-update": {"lost-update", "data-race"},
    "deadlock": {"deadlock", "livelock", "hoistable-poll"},
    "barrier-divergence": {"barrier-divergence", "barrier-mismatch"},
    "use-after-exit": {"out-of-bounds", "use-after-exit", "data-race"},
}


class Case:
    def __init__(self, name, file, launch_file=None, words=WORDS):
        self.name, self.file, self.launch_file, self.words = name, file, launch_file, words

    def __str__(self):
        return self.name

    def header(self):
        text = (self.launch_file or self.file).read_text(errors="replace")
        return {key: value for key, value in HEADER.findall(text)}


COMPILED = 10  # of so many sources that have their PTX beside them one is compiled again


def is_compiled(source):
    return zlib.crc32(source.name.encode()) % COMPILED == 0


def own_cases(by_runs):
    """Each .ptx, and some of the .cu that they were made of: a compiler takes longer than a check."""
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*")):
        if path.suffix not in (".ptx", ".cu"):
            continue
        source = path.with_suffix(".cu")
        if path.suffix == ".cu" and path.with_suffix(".ptx").exists() and (by_runs or not is_compiled(path)):
            continue
        has_source = path.suffix == ".ptx" and source.exists()
        yield Case(str(path.relative_to(ROOT)), path, source if has_source else None)


def shared_cases():
    """Each .cu, compiled here where there is an nvcc, else as the .ptx that is kept with it."""
    folder = pathlib.Path(os.environ.get("WARPSAN_SHARED") or ROOT / "../shared") / "cases"
    if not folder.is_dir():
        print("there are no shared cases (WARPSAN_SHARED)")
        sys.exit(SKIPPED)
    for source in sorted((folder / "cases").glob("*.cu")):
        if shutil.which("nvcc"):
            yield Case(source.name, source, words=SHARED_WORDS)
        else:
            yield Case(source.name, folder / "ptx" / (source.stem + ".ptx"), source, SHARED_WORDS)


RUNS = 40


def run_command(header, is_weak):
    options = header["run"].split()[1:] if is_weak and "run" in header else []
    return ["run", *(["--weak"] if is_weak else []), *options, "--runs", str(RUNS)]


def check(warpsan, case, header, by_runs, is_weak):
    if case.file.suffix == ".cu" and not shutil.which("nvcc"):
        raise Skip("there is no nvcc")
    command = [warpsan, *(run_command(header, is_weak) if by_runs else ["check"]),
               "--format", "json", "--no-witness", "--level", header.get("level", "ptx")]
    if case.file.suffix == ".cu" and "nvcc" in header:
        command += ["--nvcc-flags", header["nvcc"]]
    if case.launch_file:
        command += ["--launch-from", str(case.launch_file)]
    done = subprocess.run([*command, str(case.file)], cwd=ROOT, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace", timeout=TIMEOUT_SECONDS)
    return done, [json.loads(line) for line in done.stdout.splitlines()]


def matches(finding, names):
    rule, sub = finding["rule"], finding.get("sub") or ""
    return any(name in (rule, sub, f"{rule}:{sub}") for name in names)


def lines_of(finding):
    return {finding["line"], *(related["line"] for related in finding["related"])}


def short(findings):
    return ", ".join(f"{f['rule']}{':' + f['sub'] if f.get('sub') else ''} at line {f['line']}"
                     for f in findings) or "nothing"


def judge_clean(result, findings):
    if findings:
        return f"expected nothing, found {short(findings)}"
    return None if result["complete"] else f"incomplete: {result['incomplete']}"


def judge_bug(case, header, findings):
    words = [header["expect"], *re.findall(r"\w[\w:-]*", header.get("accept", ""))]
    names = set().union(*(case.words.get(word, {word}) for word in words))
    fitting = [f for f in findings if matches(f, names)]
    if not fitting:
        return f"expected {' or '.join(words)}, found {short(findings)}"
    where = {int(line) for line in re.findall(r"\d+", header.get("where", ""))}
    if where and not any(where & lines_of(finding) for finding in fitting):
        return f"expected line {' or '.join(map(str, sorted(where)))}, found {short(fitting)}"
    return None


def reason_to_skip(header, is_weak):
    """Why runs do not show what the case is about; None: they do."""
    run = header.get("run", "weak" if "weak-memory" in header.get("needs", "") else None)
    return None if is_weak and run and run.split()[0] == "weak" else run


def run_case(warpsan, case, by_runs, is_weak):
    header = case.header()
    if by_runs and reason_to_skip(header, is_weak):
        raise Skip(f"runs: {reason_to_skip(header, is_weak)}")
    if "expect" not in header:
        return "the file says nothing about what to expect (`// expect: RULE` or `// expect: clean`)"
    try:
        done, results = check(warpsan, case, header, by_runs, is_weak)
    except subprocess.TimeoutExpired:
        return f"no end after {TIMEOUT_SECONDS} s"
    except ValueError as error:
        return f"invalid JSON: {error}"
    if done.returncode not in (0, 1, 3) or len(results) != 1:
        return f"{done.stderr}exit {done.returncode}"
    findings = [f for f in results[0]["findings"] if f["severity"] != "advice"]
    if header["expect"] == "clean":
        return judge_clean(results[0], findings)
    return judge_bug(case, header, findings)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("warpsan")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--weak", action="store_true")
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("names", nargs="*")
    given = parser.parse_intermixed_args()
    warpsan = str(pathlib.Path(given.warpsan).resolve())
    by_runs = given.weak or given.run
    cases = list(shared_cases() if given.shared else own_cases(by_runs))
    chosen = [case for case in cases
              if not given.names or any(name in str(case) for name in given.names)]
    run_cases(chosen[::given.every], lambda case: run_case(warpsan, case, by_runs, given.weak))


if __name__ == "__main__":
    main()
