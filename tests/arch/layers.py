#!/usr/bin/env python3
"""Each #include in src/ and include/ is one that layers.txt allows."""
import fnmatch
import pathlib
import re

from project import c_files, line_of, read, report, root, without_comments

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.M)
# ISO C17 and POSIX.1-2008.
SYSTEM_HEADERS = set("""
assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg
stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar wchar wctype
aio arpa/inet cpio dirent dlfcn fcntl fmtmsg fnmatch ftw glob grp iconv langinfo libgen monetary
mqueue ndbm net/if netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched search semaphore
spawn strings sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm sys/socket sys/stat
sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog tar termios ulimit
unistd utime utmpx wordexp
""".split())


class Layers:
    def __init__(self, text):
        self.allowed, self.doors, self.public, self.public_users = {}, [], None, []
        for line in text.splitlines():
            line = line.split("#")[0].strip()
            if line.startswith("door "):
                self.doors.append(line[5:].strip())
            elif line.startswith("public "):
                self.public, users = line[7:].split(":")
                self.public_users = users.split()
            elif line:
                module, others = line.split(":")
                self.allowed[module] = others.split()

    def is_door(self, header):
        module, name = header.split("/", 1)
        return name == module + ".h" or any(fnmatch.fnmatch(header, d) for d in self.doors)

    def objection(self, module, header):
        """Why `module` may not include the project's `header`, or None."""
        if header == self.public:
            return None if module in self.public_users else f"{module} may not include {header}"
        target = header.split("/")[0]
        if target == module:
            return None
        if module not in self.allowed:
            return f"layers.txt does not know the module {module}"
        if target not in self.allowed[module]:
            return f"{module} may not include {target}"
        return None if self.is_door(header) else f"{header} is a private header of {target}"


def check_file(layers, path):
    text = without_comments(read(path))
    for match in INCLUDE.finditer(text):
        bracket, header = match.groups()
        objection = system_objection(header) if bracket == "<" else None
        if bracket == '"':
            objection = project_objection(layers, path, header)
        if objection:
            yield f"{path}:{line_of(text, match.start())}: {objection}"


def system_objection(header):
    # Arenas tell the address sanitizer what is free, where it is compiled in. Contexts were in POSIX until 2008:
    # for machines on which the switch of stacks is not written in assembler.
    others = ("sanitizer/asan_interface.h", "ucontext.h")
    known = header.endswith(".h") and header[:-2] in SYSTEM_HEADERS or header in others
    return None if known else f"<{header}> is neither C17 nor POSIX"


def project_objection(layers, path, header):
    if path.parts[0] == "include":
        # Parts of a public header lie beside it.
        is_part = header.endswith(".inc") and (root() / path.parent / header).is_file()
        return None if is_part else "a public header includes none but its parts"
    if "/" not in header or header.startswith("."):
        return f'"{header}" lacks its module: write "module/noun.h"'
    return layers.objection(path.parts[1], header)


def main():
    layers = Layers((pathlib.Path(__file__).parent / "layers.txt").read_text())
    files = c_files(["src", "include"], (".c", ".h", ".def"))
    report([v for path in files for v in check_file(layers, path)], len(files))


if __name__ == "__main__":
    main()
