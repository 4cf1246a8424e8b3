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
with tempfile.TemporaryDirectory() as folder:
    program = str(pathlib.Path(folder) / "on_device")
    source = pathlib.Path(__file__).parent / "on_device.cu"
    subprocess.run([compiler, "-O2", "-std=c++17", "-arch=sm_90", f"-I{sys.argv[1]}", "-o", program, str(source)],
                   check=True)
    done = subprocess.run([program], timeout=60)
    if done.returncode == 77:
        print("skipped: there is no device")
    sys.exit(done.returncode)
