#!/usr/bin/env python3
"""Compiles CUDA sources to the .ptx files that lie beside them, and assembles these.

usage: make_ptx.py [--assemble] FILE.cu|FILE.ptx|FOLDER...

NAME.cu becomes NAME.ptx, as nvcc writes it, except that `.file` names say nothing about the machine:
the source goes by its own name, the toolkit's headers by cuda/.... A line `// nvcc: FLAGS` of the source
gives nvcc further flags. With --assemble nothing is compiled:
ptxas checks every .ptx, also those written by hand. Without the tool the exit status is 77, which Meson
shows as "skipped".
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FLAGS = ["-ptx", "-lineinfo", "-arch=sm_90", "-std=c++17"]
FILE = re.compile(r'(?m)^(\s*\.file\s+\d+\s+)"([^"]*)"')
EXTRA = re.compile(r"(?m)^// nvcc: (.*)$")
TARGET = re.compile(r"(?m)^\s*\.target\s+(\w+)")
SKIPPED = 77
FALLBACK_FOLDER = "/usr/local/cuda/bin"


def find_tool(name):
    found = shutil.which(name) or shutil.which(name, path=FALLBACK_FOLDER)
    if not found:
        print(f"expected {name} on PATH or in {FALLBACK_FOLDER}")
        sys.exit(SKIPPED)
    return found


def toolkit_of(nvcc):
    """Folders under which the toolkit's own headers lie."""
    folder = pathlib.Path(nvcc).parents[1]
    return [folder, folder.resolve()]


def public_name(name, toolkit):
    path = pathlib.Path(os.path.normpath(name))
    for folder in toolkit:
        if path.is_relative_to(folder):
            return str("cuda" / path.relative_to(folder))
    return path.name


def compile_source(nvcc, source):
    """What nvcc says, or None when all is well."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "out.ptx"
        # From the source's own folder, so that __FILE__ and the like are plain names.
        extra = EXTRA.search(source.read_text())
        done = subprocess.run([nvcc, *FLAGS, *(extra.group(1).split() if extra else []), source.name, "-o", str(output)], cwd=source.parent,
                              capture_output=True, text=True)
        if done.returncode != 0:
            return done.stdout + done.stderr
        text = output.read_text()
    toolkit = toolkit_of(nvcc)
    text = FILE.sub(lambda m: f'{m.group(1)}"{public_name(m.group(2), toolkit)}"', text)
    source.with_suffix(".ptx").write_text(text)
    return None


def assemble(ptxas, file):
    target = TARGET.search(file.read_text())
    arguments = [ptxas, f"--gpu-name={target.group(1) if target else 'sm_90'}", str(file), "-o", os.devnull]
    done = subprocess.run(arguments, capture_output=True, text=True)
    if "is not defined for option 'gpu-name'" in done.stdout + done.stderr:
        print(f"skipped {file}: this ptxas has no {target.group(1)}")
        return None
    return None if done.returncode == 0 else done.stdout + done.stderr


def files_of(arguments, suffix):
    for argument in map(pathlib.Path, arguments):
        if argument.is_dir():
            yield from sorted(argument.rglob("*" + suffix))
        elif argument.suffix == suffix:
            yield argument


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--assemble", action="store_true")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    suffix, name, work = (".ptx", "ptxas", assemble) if options.assemble else (".cu", "nvcc", compile_source)
    tool = find_tool(name)
    files = list(files_of(options.files, suffix))
    with concurrent.futures.ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        failures = list(pool.map(lambda file: work(tool, file), files))
    for file, failure in zip(files, failures):
        if failure:
            print(f"FAILED {file}\n{failure.rstrip()}")
    failed = sum(1 for failure in failures if failure)
    print(f"{len(files) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
