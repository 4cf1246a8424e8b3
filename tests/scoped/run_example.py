#!/usr/bin/env python3
"""A program of examples/c finds what its comment `// expect:` says: `clean`, or a rule.

usage: run_example.py SOURCE PROGRAM
"""
import re
import subprocess
import sys

source, program = sys.argv[1:3]
with open(source, encoding="utf-8") as file:
    expected = re.search(r"^// expect: (\S+)$", file.read(), re.M).group(1)
done = subprocess.run([program], capture_output=True, text=True)
found = re.findall(r"error: .*\[([a-z:-]+)\]$|warning: .*\[([a-z:-]+)\]$", done.stdout, re.M)
rules = {a or b for a, b in found}
is_there = expected in rules or any(rule.split(":")[0] == expected for rule in rules)
is_ok = done.returncode == 0 and not rules if expected == "clean" else done.returncode == 1 and is_there
if not is_ok:
    print(done.stdout + done.stderr)
    print(f"expected {expected}, found {', '.join(sorted(rules)) or 'nothing'} and exit status {done.returncode}")
if expected != "clean" and not re.search(r"\n +e\d+ +[RW]\..* \S+[ :]\d+\n", done.stdout):
    is_ok = False
    print("the finding shows no execution")
sys.exit(not is_ok)
