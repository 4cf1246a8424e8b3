#!/usr/bin/env python3
"""Files and functions keep to the limits: 1,000 lines a file, 60 a function.

A function that is longer must be a flat `switch`: what is outside of the switch keeps to the limit,
and so does each case to a smaller one.
"""
import re

from project import c_files, read, report

FILE_LINES = 1000
FUNCTION_LINES = 60
CASE_LINES = 12
FOLDERS = ("src", "include", "tests", "fuzz", "bench")


def functions(lines):
    """(first line, lines of the body). clang-format puts both braces where this finds them."""
    begin = None
    for i, line in enumerate(lines):
        if line.endswith("{") and line[0].isalpha() and ") {" in line:
            begin = i
        elif re.match(r"\s+.*\) \{$", line) and begin is None and is_signature_tail(lines, i):
            begin = i
        elif line.startswith("}") and begin is not None:
            yield begin + 1, lines[begin + 1:i]
            begin = None


def is_signature_tail(lines, i):
    """Line i ends a parameter list that began on an earlier line at the left margin."""
    while i > 0 and lines[i].startswith(" "):
        i -= 1
    return bool(re.match(r"[A-Za-z_].*\(", lines[i])) and not lines[i].endswith(("{", ";"))


def is_flat_switch(body):
    """Only the cases of one switch at the function's top level make it long."""
    inside = False
    outside_count = case_count = longest = 0
    for line in body:
        if line.startswith("  switch (") and not inside:
            inside = True
        elif line == "  }" and inside:
            inside = False
        elif not inside:
            outside_count += 1
        elif re.match(r"  (case .*|default):", line):
            case_count = 0
        else:
            case_count += 1
            longest = max(longest, case_count)
    return outside_count <= FUNCTION_LINES and 0 < longest <= CASE_LINES


def check_file(path):
    lines = read(path).splitlines()
    if len(lines) > FILE_LINES:
        yield f"{path}: {len(lines)} lines, at most {FILE_LINES}: split it by subject"
    for line, body in functions([text or " " for text in lines]):
        if len(body) > FUNCTION_LINES and not is_flat_switch(body):
            yield f"{path}:{line}: a function of {len(body)} lines, at most {FUNCTION_LINES}"


def main():
    files = c_files(FOLDERS)
    report([v for path in files for v in check_file(path)], len(files))


if __name__ == "__main__":
    main()
