"""What the architecture tests share: the files of the project, C text without comments, verdicts.

Each test is `NAME.py ROOT [more]`, prints `FILE:LINE: what is wrong` for each violation, then
`N passed, N failed`. `violations_of.py` proves that each test notices what it is there for.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from runner import SKIPPED, finish  # noqa: E402

TOKEN = re.compile(
    r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' """, re.S | re.X)


def root():
    return pathlib.Path(sys.argv[1]).resolve()


def c_files(folders, suffixes=(".c", ".h")):
    """Paths relative to the root, sorted."""
    found = []
    for folder in folders:
        found += [p.relative_to(root()) for p in (root() / folder).rglob("*") if p.suffix in suffixes]
    return sorted(found)


def read(path):
    return (root() / path).read_text()


def code(text):
    """The text with comments and literals blanked out; lines keep their numbers."""
    return TOKEN.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def without_comments(text):
    """Like code(), but literals stay: for #include lines."""
    def blank(match):
        text = match.group()
        return text if text[0] in "\"'" else re.sub(r"[^\n]", " ", text)
    return TOKEN.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def report(violations, checked_count):
    """Prints the verdict and exits. `checked_count` things were looked at."""
    for violation in violations:
        print(violation)
    failed = len({violation.split(":")[0] for violation in violations})
    finish(checked_count - failed, failed)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)
