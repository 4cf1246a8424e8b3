#!/usr/bin/env python3
"""Writes the manual page warpsan(3) from the comments and declarations of the public header.

usage: header_man.py WARPSAN.h VERSION OUTPUT
"""
import pathlib
import re
import sys

SECTION = re.compile(r"^// -{20,} (.*)$")
SEE_ALSO = r"""
.SH FILES
.nf
#include <warpsan/warpsan.h>   the library
#include <warpsan/scoped.h>    atomic operations with scopes for C, and tests of functions
cc ... $(pkg-config --cflags --libs warpsan)
.fi
.SH SEE ALSO
.BR warpsan (1)
"""


def escape(text):
    text = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return r"\&" + text if text.startswith((".", "\\(aq")) else text


def prose(lines):
    """Comment lines: what is indented is code, what begins with a dash is a list."""
    out, in_code, in_list = [], False, False
    for line in lines:
        in_list = line.startswith("- ") or (in_list and line.startswith("  "))
        is_code = line.startswith("  ") and not in_list
        if is_code and not in_code:
            out.append(".PP\n.nf\n.RS 2")
        if in_code and not is_code:
            out.append(".RE\n.fi\n.PP")
        in_code = is_code
        if line.startswith("- "):
            out.append(".IP \\(bu 2")
            line = line[2:]
        text = line[2:] if is_code else line.strip()
        out.append(escape(text) if text.strip() else ".PP")
    if in_code:
        out.append(".RE\n.fi")
    return out


def declaration(lines):
    text = [escape(line.replace("WARPSAN_API ", "")) for line in lines]
    return [".PP", ".nf", r"\fB" + text[0], *text[1:], r"\fR", ".fi"]


def page(text, version):
    lines = text.splitlines()
    out = [f'.TH WARPSAN 3 "" "warpsan {version}" "Library functions"', ".SH NAME",
           r"warpsan \- checks the synchronisation of GPU programs", ".SH DESCRIPTION"]
    comment, block, depth = [], [], 0
    for line in lines[:lines.index("#ifndef WARPSAN_WARPSAN_H")]:
        comment.append(re.sub(r"^// ?", "", line))
    out += prose(comment)
    comment = []
    for line in lines[lines.index("#ifndef WARPSAN_WARPSAN_H"):]:
        section = SECTION.match(line)
        if section:
            out.append(".SH " + escape(section.group(1)).upper())
        elif line.startswith("//") and not block:
            comment.append(re.sub(r"^// ?", "", line))
        elif not line.strip() and not depth:
            out += prose(comment)
            comment = []
        elif is_declaration(line) or block:
            block.append(line)
            depth += line.count("{") - line.count("}")
            if line.rstrip().endswith((";", ")")) and depth == 0 and not line.rstrip().endswith("\\"):
                out += declaration(block) + prose(comment)
                block, comment = [], []
        else:
            comment = []
    return "\n".join(out) + SEE_ALSO


def is_declaration(line):
    return bool(re.match(r"(WARPSAN_API |typedef |enum |struct )", line))


def main():
    header, version, output = sys.argv[1:]
    pathlib.Path(output).write_text(page(pathlib.Path(header).read_text(), version))


if __name__ == "__main__":
    main()
