#!/usr/bin/env python3
"""Compiles every operation of scoped.h as users do, with all warnings as errors.

usage: warnings.py INCLUDE

gcc and clang, as C and C++, for the host and for the checker; clang for nvptx64; nvcc. Compilers that
are not there are passed over. ptxas has to take what is made for a GPU.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from runner import SKIPPED, finish  # noqa: E402

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Wcast-align", "-Wundef", "-Werror"]
ONLY_C = ["-Wstrict-prototypes", "-Wmissing-prototypes"]
HOST = "unsigned use(void *word, Objects *objects);\n" \
       "unsigned use(void *word, Objects *objects) { return use_everything(word, objects); }\n"
KERNEL = "__global__ void use(void *word, Objects *objects, unsigned *sum) {\n" \
         "  *sum = use_everything(word, objects);\n}\n"
INCLUDE = '#include "every_operation.h"\n'


def commands():
    """(what, compiler, arguments, name of the source)"""
    for compiler in ("gcc", "clang", "clang-22"):
        for define in ([], ["-DWARPSAN_CHECK"]):
            for level in ("-O0", "-O2"):
                yield [compiler, "-std=c17", level, *define, *STRICT, *ONLY_C, "-c"], "use.c"
    for compiler in ("g++", "clang++", "clang++-22"):
        for define in ([], ["-DWARPSAN_CHECK"]):
            for standard in ("-std=c++11", "-std=c++20"):
                yield [compiler, standard, "-O1", *define, *STRICT, "-c"], "use.cpp"
    for compiler, arch in (("clang", "sm_75"), ("clang-22", "sm_75"), ("clang-22", "sm_90")):
        yield [compiler, "--target=nvptx64-nvidia-cuda", f"-march={arch}", "-ffreestanding", "-std=c17",
               "-O2", *STRICT, "-S"], "use.c"
    for arch in ("sm_75", "sm_90"):
        yield ["nvcc", f"-arch={arch}", "-std=c++17", "-Werror=all-warnings", "-Xcompiler",
               "-Wall,-Wextra,-Wconversion", "-ptx"], "use.cu"


def assembled(arguments, ptx):
    arch = next(word[-5:] for word in arguments if word.endswith(("=sm_75", "=sm_90")))
    return subprocess.run(["ptxas", f"-arch={arch}", str(ptx), "-o", "/dev/null"],
                          capture_output=True, text=True, timeout=300)


def compiled(folder, include, arguments, name):
    output = folder / "output"
    done = subprocess.run([*arguments, f"-I{include}", f"-I{HERE}", str(folder / name), "-o", str(output)],
                          capture_output=True, text=True, timeout=300)
    is_device = "-S" in arguments or "-ptx" in arguments
    if done.returncode == 0 and is_device and shutil.which("ptxas"):
        done = assembled(arguments, output)
    return done


def main():
    include = pathlib.Path(sys.argv[1]).resolve()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for source in ("use.c", "use.cpp"):
            (folder / source).write_text(INCLUDE + HOST)
        (folder / "use.cu").write_text(INCLUDE + KERNEL)
        for arguments, source in commands():
            if not shutil.which(arguments[0]):
                continue
            done = compiled(folder, include, arguments, source)
            passed += done.returncode == 0
            failed += done.returncode != 0
            if done.returncode:
                print(" ".join(arguments), "\n", (done.stdout + done.stderr)[:1500], sep="")
    return finish(passed, failed) if passed + failed else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
