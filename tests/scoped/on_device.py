#!/usr/bin/env python3
"""scoped.h on a GPU, if there is one, and nvcc to compile for it. Otherwise skipped (exit status 77).

usage: on_device.py INCLUDE
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

compiler = shutil.which(os.environ.get("NVCC", "nvcc"))
if not compiler:
    print("skipped: nvcc is absent")
    sys.exit(77)
OPTIONS = {"on_device": [], "openmp_beside": ["-Xcompiler", "-fopenmp"]}
status = 0
with tempfile.TemporaryDirectory() as folder:
    for name, options in OPTIONS.items():
        program = str(pathlib.Path(folder) / name)
        source = pathlib.Path(__file__).parent / f"{name}.cu"
        subprocess.run([compiler, "-O2", "-std=c++17", "-arch=sm_90", *options, f"-I{sys.argv[1]}", "-o", program,
                        str(source)], check=True)
        status = status or subprocess.run([program], timeout=60).returncode
if status == 77:
    print("skipped: there is no device")
sys.exit(status)
