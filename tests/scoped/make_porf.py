#!/usr/bin/env python3
"""Writes models/cuda.cat with the stricter axiom about values out of thin air: acyclic (po | rf).

usage: make_porf.py CUDA.cat OUTPUT.cat
"""
import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
stricter, count = re.subn(r"^acyclic .* as NoThinAir$", "acyclic po | rf | wait as NoThinAir", text, flags=re.M)
if count != 1:
    sys.exit("cuda.cat has no axiom NoThinAir")
pathlib.Path(sys.argv[2]).write_text(stricter)
