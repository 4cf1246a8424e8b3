#!/usr/bin/env python3
"""Proves that the architecture tests notice violations: plants one of each kind in a small project.

usage: violations_of.py ROOT [CC]
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

from project import finish, root

HERE = pathlib.Path(__file__).resolve().parent
CLEAN = "#include \"base/a.h\"\n\nint base_a(void) {\n  return 0;\n}\n"
HEADER = "#ifndef A_H\n#define A_H\n\nint base_a(void);\n\n#endif\n"

LONG_BODY = "".join(f"  x += {i};\n" for i in range(70))
LONG_SWITCH = "".join(f"  case {i}:\n    return {i};\n" for i in range(70))


def function(body):
    return f"int base_b(int x) {{\n{body}  return x;\n}}\n"


# (test, file, text, is it a violation?)
CASES = [
    ("layers", "src/base/b.c", '#include "ir/ir.h"\n', True),
    ("layers", "src/cli/b.c", '#include "base/arena.h"\n', True),
    ("layers", "src/cli/b.c", '#include "warpsan/warpsan.h"\n', False),
    ("layers", "src/explore/b.c", '#include "model/model.h"\n', False),
    ("layers", "src/explore/b.c", '#include "model/native.h"\n', True),
    ("layers", "src/litmus/b.c", '#include "ir/condition.h"\n', False),
    ("layers", "src/report/b.c", '# include "litmus/litmus.h"\n', True),
    ("layers", "src/report/b.c", '// #include "litmus/litmus.h"\n', False),
    ("layers", "src/unknown/b.c", '#include "base/arena.h"\n', True),
    ("layers", "src/base/b.c", "#include <malloc.h>\n", True),
    ("layers", "src/base/b.c", '#include "a.h"\n', True),
    ("layers", "include/warpsan/b.h", '#include "base/arena.h"\n', True),
    ("headers_alone", "src/base/b.h", "static inline size_t f(void) { return 0; }\n", True),
    ("headers_alone", "src/base/b.h", "struct B { int x; };\n", True),
    ("headers_alone", "include/warpsan/b.h",
     "#ifndef B_H\n#define B_H\nstruct B { int *new; };\n#endif\n", True),
    ("allocation", "src/ir/b.c", "void *f(void) {\n  return malloc (4);\n}\n", True),
    ("allocation", "src/ir/b.c", "void f(void *x) {\n  free(x);\n}\n", True),
    ("allocation", "src/ir/b.c", "// malloc(4) is \"free(x)\" here\nint is_free(int);\n", False),
    ("allocation", "src/api/b.c", "void f(void *x) {\n  free(x);\n}\n", False),
    ("allocation", "src/ir/b.c", "void f(void) {\n  exit(1);\n}\n", True),
    ("allocation", "src/api/b.c", "void f(void) {\n  fputs(\"a\", stderr);\n}\n", True),
    ("formatting", "src/base/b.c", "int  f( void );\n", True),
    ("lengths", "src/base/b.c", function(LONG_BODY), True),
    ("lengths", "src/base/b.c", function("  switch (x) {\n" + LONG_SWITCH + "  }\n"), False),
    ("lengths", "src/base/b.c", function("  switch (x) {\n  case 1:\n" + LONG_BODY + "  }\n"), True),
    ("lengths", "src/base/b.c",
     function(LONG_BODY).replace("(int x)", "(int x,\n           int y)"), True),
    ("lengths", "src/base/b.c", "int x;\n" * 1001, True),
    ("exported_names", "src/base/b.c", "int base_b(void) {\n  return 0;\n}\n", True),
    ("exported_names", "src/base/b.c", "int warpsan_b(void) {\n  return 0;\n}\n", False),
    ("mutable_globals", "src/base/b.c", "static int n;\nint f(void) {\n  return n++;\n}\n", True),
    ("mutable_globals", "src/base/b.c", "int n = 4;\n", True),
    ("mutable_globals", "src/base/b.c", "_Thread_local int n;\n", True),
    ("mutable_globals", "src/base/b.c", "const char *const names[] = {\"a\"};\n", False),
]


def build(folder, test, compiler):
    """The binary that some of the tests look at; none for the others."""
    if test not in ("exported_names", "mutable_globals"):
        return []
    source, binary = folder / "src/base/b.c", folder / "binary"
    how = ["-shared"] if test == "exported_names" else ["-c"]
    subprocess.run([compiler, "-fPIC", *how, str(source), "-o", str(binary)], check=True)
    return [str(binary)]


def is_noticed(test, file, text, compiler):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(root() / ".clang-format", folder)
        for path, content in (("src/base/a.c", CLEAN), ("src/base/a.h", HEADER), (file, text)):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content)
        command = [sys.executable, str(HERE / f"{test}.py"), name, *build(folder, test, compiler)]
        return subprocess.run(command, capture_output=True).returncode


def main():
    compiler = sys.argv[2] if len(sys.argv) > 2 else "cc"
    failed = 0
    for test, file, text, is_violation in CASES:
        status = is_noticed(test, file, text, compiler)
        if status != 77 and status != int(is_violation):
            failed += 1
            wanted = "a violation" if is_violation else "no violation"
            print(f"{test}: status {status} for {wanted}, {file}:\n{text[:200]}")
    finish(len(CASES) - failed, failed)


if __name__ == "__main__":
    main()
