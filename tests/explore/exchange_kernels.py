#!/usr/bin/env python3
"""Kernels of equal threads (locks, tickets, queues), and twins of them with a fault that shows in some orders
of the threads only: the same findings with and without use of that threads are equal, and with it also for
many threads.

usage: exchange_kernels.py WARPSAN
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from runner import finish  # noqa: E402

HEAD = """.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 pm, .param .u64 po)
{
  .reg .pred %p<40>;
  .reg .b32 %r<40>, %id, %n, %ctaid_, %tid_;
  .reg .b64 %m, %o, %own, %q<20>;
  ld.param.u64 %m, [pm];
  ld.param.u64 %o, [po];
  mov.u32 %ctaid_, %ctaid.x;
  mov.u32 %tid_, %tid.x;
  mov.u32 %n, %ntid.x;
  mad.lo.u32 %id, %ctaid_, %n, %tid_;
  mov.u32 %r39, %nctaid.x;
  mul.lo.u32 %n, %n, %r39;
  mad.wide.u32 %own, %id, 4, %o;
"""
# Words of m: 0 lock or ticket, 4 data, 8 serving or count, 12 and on: more.
TAKE = """L1: atom.acquire.gpu.global.cas.b32 %r1, [%m], 0, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra L1;
"""
COUNT = """  ld.global.u32 %r2, [%m+4];
  add.u32 %r3, %r2, 1;
  st.global.u32 [%m+4], %r3;
"""
LEAVE = "  st.release.gpu.global.u32 [%m], 0;\n"
TAKE_BY_EXCHANGE = TAKE.replace("cas.b32 %r1, [%m], 0, 1", "exch.b32 %r1, [%m], 1")
LEAVE_BY_EXCHANGE = "  atom.release.gpu.global.exch.b32 %r10, [%m], 0;\n"
TICKET = "  atom.relaxed.gpu.global.add.u32 %r4, [%m], 1;\n"
SERVE = """L2: ld.acquire.gpu.global.u32 %r5, [%m+8];
  setp.ne.u32 %p2, %r5, %r4;
  @%p2 bra L2;
"""
NEXT = """  add.u32 %r6, %r4, 1;
  st.release.gpu.global.u32 [%m+8], %r6;
"""
LAST_NAME = "  ld.global.u32 %r7, [%m+12];\n  st.global.u32 [%own], %r7;\n  st.global.u32 [%m+12], %id;\n"
ALL_COUNTED = "m[1] == {n}"


def skip(condition, text, label):
    return f"  {condition};\n  @!%p9 bra {label};\n{text}{label}:\n"


FENCE = "  fence.acq_rel.gpu;\n"
PART = "  add.u32 %r7, %id, 1;\n  st.global.u32 [%own], %r7;\n"
ADD_UP = ("  ld.global.u32 %r8, [%o];\n  ld.global.u32 %r9, [%o+8];\n  sub.u32 %r9, %r9, %r8;\n"
          "  st.global.u32 [%m+12], %r9;\n")
# Leaves in r4 what it was added to.
ADD_BY_CAS = """  ld.relaxed.gpu.global.u32 %r4, [%m];
L5: add.u32 %r6, %r4, 1;
  atom.relaxed.gpu.global.cas.b32 %r5, [%m], %r4, %r6;
  setp.ne.u32 %p5, %r5, %r4;
  mov.u32 %r4, %r5;
  @%p5 bra L5;
"""


def if_last(text, after=1):
    """What the thread with the last ticket does."""
    return (f"  add.u32 %r7, %r4, {after};\n"
            + skip("setp.eq.u32 %p9, %r7, %n", FENCE + text + FENCE, "E"))


# Name: text, final condition, rules that are found, is it symmetric (so that many threads are explored, too).
KERNELS = {
    "lock": (TAKE + COUNT + LEAVE, ALL_COUNTED, set(), True),
    "lock-by-exchange": (TAKE_BY_EXCHANGE + COUNT + LEAVE, ALL_COUNTED, set(), True),
    "lock-by-exchange-left-by-exchange": (TAKE_BY_EXCHANGE + COUNT + LEAVE_BY_EXCHANGE, ALL_COUNTED, set(), True),
    "lock-by-exchange-acquire-missing": (TAKE_BY_EXCHANGE.replace("acquire", "relaxed") + COUNT + LEAVE_BY_EXCHANGE,
                                         None, {"data-race"}, True),
    "lock-by-exchange-release-missing": (TAKE_BY_EXCHANGE + COUNT + LEAVE_BY_EXCHANGE.replace("release", "relaxed"),
                                         None, {"data-race"}, True),
    "lock-by-exchange-not-released-by-the-third": (
        TAKE_BY_EXCHANGE + COUNT + skip("setp.ne.u32 %p9, %r2, 2", LEAVE_BY_EXCHANGE, "E")
        + TAKE_BY_EXCHANGE.replace("L1", "L3") + LEAVE_BY_EXCHANGE, None, {"deadlock"}, False),
    "lock-by-exchange-taken-twice-by-number": (
        TAKE_BY_EXCHANGE + COUNT + skip("setp.eq.u32 %p9, %id, 1", TAKE_BY_EXCHANGE.replace("L1", "L3"), "E")
        + LEAVE_BY_EXCHANGE, None, {"deadlock"}, False),
    "lock-by-exchange-tried-once": (
        "  atom.acquire.gpu.global.exch.b32 %r1, [%m], 1;\n"
        + skip("setp.eq.u32 %p9, %r1, 0", COUNT + LEAVE_BY_EXCHANGE, "E1") + skip("setp.ne.u32 %p9, %r1, 0", "  trap;\n", "E2"), None, {"trap"}, True),
    "lock-acquire-missing": (TAKE.replace("acquire", "relaxed") + COUNT + LEAVE, None, {"data-race"}, True),
    "lock-released-early": (TAKE + LEAVE + COUNT, None, {"data-race"}, True),
    "lock-not-released-by-the-third": (
        TAKE + COUNT + skip("setp.ne.u32 %p9, %r2, 2", LEAVE, "E"), None, set(), False),
    "lock-wanted-by-number": (TAKE + COUNT + LEAVE + skip("setp.eq.u32 %p9, %id, 1",
                                                          skip("setp.eq.u32 %p9, %r2, 2", "  trap;\n", "E2"), "E1"),
                              ALL_COUNTED, {"trap"}, False),
    "lock-remembers-owner": (TAKE + COUNT + "  ld.global.u32 %r7, [%m+12];\n  st.global.u32 [%m+12], %id;\n" + LEAVE
                             + skip("setp.eq.u32 %p9, %r7, 2", "  trap;\n", "E"), None, {"trap"}, False),
    "lock-owner-at-the-end": (TAKE + "  st.global.u32 [%m+12], %id;\n" + LEAVE, "m[3] == {last}", {"assert"}, False),
    "ticket": (TICKET + SERVE + COUNT + NEXT, ALL_COUNTED, set(), True),
    "ticket-acquire-missing": (TICKET + SERVE.replace("acquire", "relaxed") + COUNT + NEXT, None, {"data-race"}, True),
    "ticket-release-missing": (TICKET + SERVE + COUNT + NEXT.replace("release", "relaxed"), None, {"data-race"}, True),
    "ticket-kept": (TICKET + "  st.global.u32 [%own], %r4;\n", None, set(), True),
    "ticket-kept-in-order": (TICKET + "  st.global.u32 [%own], %r4;\n", "o[i] == i for i=0..{last}", {"assert"},
                             False),
    "ticket-kept-in-range": (TICKET + "  st.global.u32 [%own], %r4;\n", "o[i] < {n} for i=0..{last}", set(), False),
    "ticket-kept-plus-number": (TICKET + "  add.u32 %r7, %r4, %id;\n  st.global.u32 [%own], %r7;\n", None, set(),
                                True),
    "ticket-is-not-the-number": (TICKET + skip("setp.ne.u32 %p9, %r4, %id", "  trap;\n", "E"), None, {"trap"}, False),
    "ticket-differs-by-one": (TICKET + "  sub.u32 %r7, %r4, %id;\n" + skip("setp.eq.u32 %p9, %r7, 1", "  trap;\n", "E"),
                              None, {"trap"}, False),
    "ticket-to-a-list": (TICKET + "  mad.wide.u32 %q1, %r4, 4, %o;\n  st.global.u32 [%q1], %id;\n",
                         "o[0] == 0 || o[1] == 0", {"assert"}, False),
    "ticket-to-a-clean-list": (TICKET + "  mad.wide.u32 %q1, %r4, 4, %o;\n  st.global.u32 [%q1], %r4;\n",
                               "o[i] == i for i=0..{last}", set(), True),
    "ticket-by-number": (TICKET.replace(", 1;", ", %id;"), "m[0] == 3 || m[0] > 3", set(), False),
    "ticket-and-number-kept": (TICKET + "  st.global.u32 [%own], %id;\n  ld.global.u32 %r7, [%own];\n"
                               + skip("setp.lt.u32 %p9, %r4, %r7", "  trap;\n", "E"), None, {"trap"}, False),
    "ticket-kept-for-a-neighbour": (TICKET + "  st.relaxed.gpu.global.u32 [%own], %r4;\n  xor.b32 %r7, %id, 1;\n"
                                    "  mad.wide.u32 %q1, %r7, 4, %o;\n  ld.relaxed.gpu.global.u32 %r8, [%q1];\n"
                                    + skip("setp.eq.u32 %p9, %r8, 2", "  trap;\n", "E"), None, {"trap"}, False),
    "ticket-loop-by-number": (
        "  mov.u32 %r7, 0;\n" + "L7: atom.relaxed.gpu.global.add.u32 %r4, [%m], 1;\n  add.u32 %r7, %r7, 1;\n"
        "  setp.le.u32 %p7, %r7, %id;\n  @%p7 bra L7;\n" + skip("setp.eq.u32 %p9, %r4, 5", "  trap;\n", "E"), None,
        {"trap"}, False),
    "wait-that-adds-the-number": (
        "  atom.relaxed.gpu.global.add.u32 %r4, [%m], 1;\n  mov.u32 %r7, 0;\n"
        "L7: ld.relaxed.gpu.global.u32 %r8, [%m];\n  add.u32 %r7, %r7, %id;\n  setp.gt.u32 %p8, %r7, 2;\n"
        "  @%p8 bra E7;\n  setp.lt.u32 %p7, %r8, %n;\n  @%p7 bra L7;\nE7:\n", None, set(), False),
    "two-locks-by-number": ("  and.b32 %r7, %id, 1;\n  mad.wide.u32 %q1, %r7, 4, %m;\n"
                            + TAKE.replace("[%m]", "[%q1]") + LEAVE.replace("[%m]", "[%q1]"), None, set(), False),
    "semaphore": (
        "L1: ld.relaxed.gpu.global.u32 %r1, [%m+12];\n  setp.eq.u32 %p1, %r1, 2;\n  @%p1 bra L1;\n"
        "  add.u32 %r2, %r1, 1;\n  atom.acquire.gpu.global.cas.b32 %r3, [%m+12], %r1, %r2;\n"
        "  setp.ne.u32 %p2, %r3, %r1;\n  @%p2 bra L1;\n  atom.relaxed.gpu.global.add.u32 %r5, [%m+4], 1;\n"
        "  atom.release.gpu.global.add.u32 %r6, [%m+12], -1;\n", ALL_COUNTED, set(), False),
    "count-by-compare-and-swap": (ADD_BY_CAS, "m[0] == {n}", set(), False),
    "last-by-compare-and-swap-fence-missing": (PART + ADD_BY_CAS + if_last(ADD_UP), None, {"data-race"}, False),
    "queue": ("L1: atom.relaxed.gpu.global.add.u32 %r4, [%m], 1;\n  setp.ge.u32 %p1, %r4, %n;\n  @%p1 bra E;\n"
              "  mad.wide.u32 %q1, %r4, 4, %o;\n  ld.global.u32 %r5, [%q1];\n  add.u32 %r5, %r5, 7;\n"
              "  st.global.u32 [%q1], %r5;\n  bra L1;\nE:\n", "o[i] == 7 for i=0..{last}", set(), False),
    "queue-one-short": ("  atom.relaxed.gpu.global.add.u32 %r4, [%m], 1;\n  shr.u32 %r4, %r4, 1;\n"
                        "  mad.wide.u32 %q1, %r4, 4, %o;\n  ld.global.u32 %r5, [%q1];\n  add.u32 %r5, %r5, 7;\n"
                        "  st.global.u32 [%q1], %r5;\n", None, {"data-race"}, True),
    "look-back": (TICKET + "  mad.wide.u32 %q1, %r4, 4, %o;\n  mov.u32 %r8, 0;\n  setp.eq.u32 %p3, %r4, 0;\n"
                  "  @%p3 bra E;\nL3: ld.acquire.gpu.global.u32 %r8, [%q1+-4];\n  setp.eq.u32 %p4, %r8, 0;\n"
                  "  @%p4 bra L3;\nE: add.u32 %r8, %r8, 1;\n  st.release.gpu.global.u32 [%q1], %r8;\n",
                  "o[i] == i + 1 for i=0..{last}", set(), True),
    "look-back-by-number": ("  mov.u32 %r4, %id;\n  mad.wide.u32 %q1, %r4, 4, %o;\n  mov.u32 %r8, 0;\n"
                            "  setp.eq.u32 %p3, %r4, 0;\n  @%p3 bra E;\n"
                            "L3: ld.acquire.gpu.global.u32 %r8, [%q1+-4];\n  setp.eq.u32 %p4, %r8, 0;\n"
                            "  @%p4 bra L3;\nE: add.u32 %r8, %r8, 1;\n  st.release.gpu.global.u32 [%q1], %r8;\n",
                            "o[i] == i + 1 for i=0..{last}", set(), False),
    "last-one": ("  atom.relaxed.gpu.global.add.u32 %r1, [%m+4], 2;\n  fence.acq_rel.gpu;\n" + TICKET
                 + "  add.u32 %r7, %r4, 1;\n" + skip("setp.eq.u32 %p9, %r7, %n", "  fence.acq_rel.gpu;\n"
                 "  ld.relaxed.gpu.global.u32 %r8, [%m+4];\n  st.global.u32 [%m+12], %r8;\n", "E"),
                 "m[3] == 2 * {n}", set(), True),
    "last-one-fence-missing": ("  atom.relaxed.gpu.global.add.u32 %r1, [%m+4], 2;\n" + TICKET
                               + "  add.u32 %r7, %r4, 1;\n" + skip("setp.eq.u32 %p9, %r7, %n", "  fence.acq_rel.gpu;\n"
                               "  ld.relaxed.gpu.global.u32 %r8, [%m+4];\n  st.global.u32 [%m+12], %r8;\n", "E"),
                               "m[3] == 2 * {n}", {"stale-value"}, False),
    "last-adds-up": (PART + FENCE + TICKET + if_last(ADD_UP), "m[3] == 2", set(), True),
    "last-adds-up-fence-missing": (PART + TICKET + if_last(ADD_UP), None, {"data-race"}, False),
    "last-adds-up-too-early": (PART + FENCE + TICKET + if_last(ADD_UP, 2), None, {"data-race"}, False),
    "last-adds-up-and-all-go-on": (PART + FENCE + TICKET + if_last(ADD_UP) + PART, None, {"data-race"}, False),
    "last-adds-up-twice": (PART + FENCE + TICKET + if_last(ADD_UP + "  st.global.u32 [%own], 9;\n" + ADD_UP), None, set(),
                           False),
    "last-adds-up-tickets": (TICKET.replace("[%m]", "[%m+16]") + "  st.global.u32 [%own], %r4;\n" + FENCE + TICKET
                             + if_last(ADD_UP + skip("setp.eq.u32 %p9, %r9, 1", "  trap;\n", "E3")), None, {"trap"},
                             False),
    "last-adds-up-turned-around": ("  sub.u32 %r7, %n, %id;\n  sub.u32 %r7, %r7, 1;\n"
                                   "  mad.wide.u32 %own, %r7, 4, %o;\n" + PART + FENCE + TICKET + if_last(ADD_UP),
                                   "m[3] == 4294967294", set(), True),
    "last-looks-at-a-neighbour": (PART + FENCE + TICKET + if_last(
        "  xor.b32 %r7, %id, 1;\n  mad.wide.u32 %q1, %r7, 4, %o;\n  ld.global.u32 %r8, [%q1];\n"
        + skip("setp.eq.u32 %p9, %r8, 1", "  trap;\n", "E3")), None, {"trap"}, False),
    "second-reads-what-the-first-wrote": (
        TICKET + skip("setp.eq.u32 %p9, %r4, 0", "  st.global.u32 [%m+12], 1;\n", "E1")
        + skip("setp.eq.u32 %p9, %r4, 1", "  ld.global.u32 %r8, [%m+12];\n", "E2"), None, {"data-race"}, True),
    "two-tickets": (TICKET + "  atom.relaxed.gpu.global.add.u32 %r7, [%m+8], 1;\n"
                    + skip("setp.lt.u32 %p9, %r7, %r4", "  st.relaxed.gpu.global.u32 [%m+12], 1;\n", "E"),
                    "m[3] == 0", {"assert"}, False),
    "room-for-half": (TICKET + "  shr.u32 %r7, %n, 1;\n" + skip(
        "setp.lt.u32 %p9, %r4, %r7", "  mad.wide.u32 %q1, %r4, 4, %o;\n  st.global.u32 [%q1], %id;\n", "E"),
        None, set(), True),
    "work-for-half": (TICKET + "  shr.u32 %r7, %n, 1;\n" + skip(
        "setp.lt.u32 %p9, %r4, %r7", "  mad.wide.u32 %q1, %r4, 4, %o;\n  ld.global.u32 %r5, [%q1];\n"
        "  add.u32 %r5, %r5, 7;\n  st.global.u32 [%q1], %r5;\n", "E"), None, set(), True),
    "name-passed-on": (TAKE + LAST_NAME + LEAVE, None, set(), True),
    "name-passed-on-and-tested": (TAKE + LAST_NAME + LEAVE + skip("setp.eq.u32 %p9, %r7, 2", "  trap;\n", "E"), None,
                                  {"trap"}, False),
    "name-passed-on-and-used": (TAKE + LAST_NAME + LEAVE + "  mad.wide.u32 %q1, %r7, 4, %o;\n  st.global.u32 [%q1], 1;\n",
                                None, {"data-race"}, False),
    "name-of-the-last": (TAKE + LAST_NAME + LEAVE, "m[3] == {last}", {"assert"}, False),
    "name-seen-too-early": (TICKET + LAST_NAME, None, {"data-race"}, True),
    "name-in-an-atomic": (TAKE + LAST_NAME + LEAVE + "  atom.relaxed.gpu.global.max.u32 %r8, [%m+16], %r7;\n",
                          None, set(), False),
    "lock-and-own-memory": (TAKE + COUNT + LEAVE + "  ld.global.u32 %r7, [%own];\n  add.u32 %r7, %r7, %r2;\n"
                            "  st.global.u32 [%own], %r7;\n", ALL_COUNTED, set(), True),
}
SMALL, LARGE = 3, (8, 12)
# Attempts that lead nowhere, a thread: threads that wait for a lock are not explored in all orders.
MOST_BLOCKED = {"lock-by-exchange": 2, "lock-by-exchange-left-by-exchange": 4}


def launches(threads):
    both = [f"grid={threads} block=1", f"grid=1 block={threads}"]
    return both if threads % 2 else [*both, f"grid=2 block={threads // 2}"]


def check(warpsan, text, launch, final, symmetry, *options):
    command = [warpsan, "check", "--format", "json", "--no-witness", "--unroll", "8", "--timeout", "60", "--symmetry",
               symmetry, *options, "--launch", f"kernel=k {launch} args=m:u32[8]=0,o:u32[16]=0"]
    if final:
        command += ["--final", final]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "kernel.ptx")
        file.write_text(HEAD + text + "  ret;\n}\n")
        done = subprocess.run([*command, str(file)], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}{done.stdout}")
    return json.loads(done.stdout.splitlines()[0])


def places(result):
    return {(f["rule"], f.get("line")) for f in result["findings"]}


def complaints(warpsan, name):
    text, final, rules, is_symmetric = KERNELS[name]
    for launch in launches(SMALL):
        condition = final and final.format(n=SMALL, last=SMALL - 1)
        full = check(warpsan, text, launch, condition, "never")
        reduced = check(warpsan, text, launch, condition, "always")
        found = {rule for rule, _ in places(full)}
        if rules - found or (not rules and found - {"deadlock"}):
            yield f"{launch}: found {found}"
        if not full["complete"] or not reduced["complete"]:
            yield f"{launch}: {full['incomplete']} without, {reduced['incomplete']} with the reduction"
        if places(full) != places(reduced):
            yield f"{launch}: found {places(full)} without, {places(reduced)} with the reduction"
        options = ["--explore-all"] if "by-exchange" in name else []
        everything = check(warpsan, text, launch, condition, "never", *options)
        if everything["complete"] and places(everything) != places(full):
            yield f"{launch}: found {places(everything)} by --explore-all, {places(full)} without"
        fewer = reduced["symmetry"] and reduced["executions"] <= full["executions"]
        if is_symmetric and full["executions"] > 1 and not fewer:
            yield f"{launch}: {full['executions']} executions without, {reduced['executions']} with the reduction"
    for threads in LARGE if is_symmetric else ():
        for launch in launches(threads):
            condition = final and final.format(n=threads, last=threads - 1)
            result = check(warpsan, text, launch, condition, "auto")
            if not result["complete"] or {rule for rule, _ in places(result)} != rules:
                yield f"{launch}: found {places(result)}, {result['incomplete']}"
            if result["blocked"] > threads * MOST_BLOCKED.get(name, math.inf):
                yield f"{launch}: {result['blocked']} blocked"


def main():
    warpsan = str(pathlib.Path(sys.argv[1]).resolve())
    passed = failed = 0
    for name in sys.argv[2:] or KERNELS:
        wrong = list(complaints(warpsan, name))
        passed += not wrong
        failed += bool(wrong)
        for complaint in wrong:
            print(f"FAILED {name}: {complaint}")
    finish(passed, failed)


if __name__ == "__main__":
    main()
