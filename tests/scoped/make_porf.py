#!/usr/bin/env python3
"""Writes a model with the stricter axiom about values out of thin air: acyclic (po | rf).

usage: make_porf.py MODEL.cat OUTPUT.cat
"""
import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
stricter, count = re.subn(r"^acyclic .* as NoThinAir$", "acyclic po | rf | wait as NoThinAir", text, flags=re.M)
if count != 1:
    sys.exit("the model has no axiom NoThinAir")
pathlib.Path(sys.argv[2]).write_text(stricter)
