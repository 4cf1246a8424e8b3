#!/usr/bin/env python3
"""The PTX that nvcc and clang make of each operation, order and scope of scoped.h is that of the CUDA ABI.

usage: ptx.py INCLUDE nvcc|clang
Without the compiler the test is skipped (exit status 77). The table is that of the interoperability guide
as nvcc 13 emits it for cuda::atomic_ref: seq_cst is `fence.sc` and then acquire (loads, atomics) or relaxed
(stores); thread scope is that of the block; bytes and half words are updated by compare-and-swap on
their aligned word.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SCOPES = {"thread": "cta", "block": "cta", "cluster": "cluster", "device": "gpu", "system": "sys"}
LOAD = ["relaxed", "acquire", "seq_cst"]
STORE = ["relaxed", "release", "seq_cst"]
ALL = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
TYPES = {  # C type: (bits, letter of integers)
    "uint8_t": (8, "u"), "int8_t": (8, "s"), "uint16_t": (16, "u"), "int16_t": (16, "s"), "uint32_t": (32, "u"),
    "int32_t": (32, "s"), "uint64_t": (64, "u"), "int64_t": (64, "s"), "float": (32, "f"), "double": (64, "f"),
}
BITWISE = ["and", "or", "xor"]


def sem(order, weakest="acquire"):
    return weakest if order == "seq_cst" else order


def fence(order, scope):
    return [f"fence.sc.{scope}"] if order == "seq_cst" else []


def update(operation, bits, letter, order, scope):
    """Instructions of a read-modify-write."""
    before = fence(order, scope)
    if bits < 32:
        return before + [f"ld.relaxed.{scope}.b32", f"atom.cas.{sem(order)}.{scope}.b32"]
    if letter == "f" and operation in ("min", "max"):
        return before + [f"ld.relaxed.{scope}.b{bits}", f"atom.cas.{sem(order)}.{scope}.b{bits}"]
    kind = f"b{bits}"
    if operation == "add":
        kind = f"u{bits}" if bits == 64 and letter == "s" else f"{letter}{bits}"
    elif operation in ("min", "max"):
        kind = f"{letter}{bits}"
    return before + [f"atom.{operation}.{sem(order)}.{scope}.{kind}"]


def join(success, failure):
    """The least order that does for both."""
    if "seq_cst" in (success, failure):
        return "seq_cst"
    if failure == "acquire":
        return {"relaxed": "acquire", "release": "acq_rel"}.get(success, success)
    return success


def cases():
    """(function name, C text of its definition, expected instructions)"""
    for scope, ptx in SCOPES.items():
        s = f"scoped_thread_scope_{scope}"
        for order in ALL:
            o = f"scoped_memory_order_{order}"
            expected = []
            if scope != "thread" and order != "relaxed":
                expected = [f"fence.sc.{ptx}" if order == "seq_cst" else f"fence.acq_rel.{ptx}"]
            yield (f"fence_{order}_{scope}", "void {name}(void)", f"scoped_atomic_thread_fence({o}, {s});", expected)
        for c, (bits, letter) in TYPES.items():
            for order in LOAD:
                yield (f"load_{c}_{order}_{scope}", f"{c} {{name}}({c} *p)",
                       f"return scoped_atomic_load_explicit(p, scoped_memory_order_{order}, {s});",
                       fence(order, ptx) + [f"ld.{sem(order)}.{ptx}.b{bits}"])
            for order in STORE:
                yield (f"store_{c}_{order}_{scope}", f"void {{name}}({c} *p, {c} v)",
                       f"scoped_atomic_store_explicit(p, v, scoped_memory_order_{order}, {s});",
                       fence(order, ptx) + [f"st.{sem(order, 'relaxed')}.{ptx}.b{bits}"])
            for order in ALL:
                for operation in ["exchange", "add", "sub", "min", "max"] + (BITWISE if letter != "f" else []):
                    name = operation if operation == "exchange" else "fetch_" + operation
                    text = {"exchange": "exch", "sub": "add"}.get(operation, operation)
                    yield (f"{name}_{c}_{order}_{scope}", f"{c} {{name}}({c} *p, {c} v)",
                           f"return scoped_atomic_{name}_explicit(p, v, scoped_memory_order_{order}, {s});",
                           update(text, bits, letter, order, ptx))
                for operation in ["add", "sub", "min", "max"] + (BITWISE if letter != "f" else []) if bits == 32 else []:
                    text = {"sub": "add"}.get(operation, operation)
                    yield (f"{operation}_{c}_{order}_{scope}", f"void {{name}}({c} *p, {c} v)",
                           f"scoped_atomic_{operation}_explicit(p, v, scoped_memory_order_{order}, {s});",
                           update(text, bits, letter, order, ptx))
            for order in LOAD:
                yield (f"wait_{c}_{order}_{scope}", f"void {{name}}({c} *p, {c} v)",
                       f"scoped_atomic_wait_explicit(p, v, scoped_memory_order_{order}, {s});",
                       fence(order, ptx) + [f"ld.{sem(order)}.{ptx}.b{bits}", "nanosleep.u32"])
            for success in ALL:
                for failure in LOAD:
                    order = join(success, failure)
                    for strength in ("strong", "weak") if bits == 32 else ("strong",):
                        yield (f"cas_{strength}_{c}_{success}_{failure}_{scope}", f"bool {{name}}({c} *p, {c} e, {c} v)",
                               f"return scoped_atomic_compare_exchange_{strength}_explicit(p, &e, v, "
                               f"scoped_memory_order_{success}, scoped_memory_order_{failure}, {s});",
                               update("cas", bits, letter, order, ptx))


# Everything else that device code can call has to compile, and for nvcc to assemble.
OTHERS = """
TEST int use_threads(int v, unsigned mask) {
  scoped_syncthreads();
  v += scoped_syncthreads_and(v) + scoped_syncthreads_or(v) + scoped_syncthreads_count(v);
  scoped_barrier_sync(1, 64);
  scoped_barrier_arrive(2, 64);
  scoped_syncwarp(mask);
  v += scoped_shfl_sync(mask, v, 1) + scoped_shfl_up_sync(mask, v, 1) + scoped_shfl_down_sync(mask, v, 1);
  v += scoped_shfl_xor_sync(mask, v, 1) + scoped_all_sync(mask, v) + scoped_any_sync(mask, v);
  v += (int)scoped_ballot_sync(mask, v) + (int)scoped_match_any_sync(mask, (unsigned)v);
  v += (int)scoped_reduce_add_sync(mask, (unsigned)v);
  scoped_cluster_sync();
  scoped_cluster_arrive_relaxed();
  scoped_cluster_wait();
  return v;
}
TEST void use_objects(scoped_barrier *b, scoped_latch *l, scoped_binary_semaphore *s, scoped_stop_source *o,
                      scoped_stop_callback *c, scoped_grid_barrier *g, void (*f)(void *)) {
  scoped_thread_scope scope = scoped_thread_scope_device;
  scoped_barrier_init(b, 2, f, b);
  scoped_barrier_arrive_and_wait(b, scope);
  scoped_barrier_arrive_and_drop(b, scope);
  scoped_latch_init(l, 2);
  scoped_latch_arrive_and_wait(l, 1, scope);
  scoped_binary_semaphore_init(s, 1);
  scoped_binary_semaphore_acquire(s, scope);
  scoped_binary_semaphore_release(s, scope);
  scoped_stop_source_init(o);
  scoped_stop_callback_init(c, scoped_stop_source_get_token(o), f, c, scope);
  scoped_stop_source_request(o, scope);
  scoped_stop_callback_end(c, scoped_stop_source_get_token(o), scope);
  scoped_stop_source_close(o, scope);
  scoped_grid_sync(g, 2, true);
  scoped_volatile_store(&g->phase, scoped_volatile_load(&g->phase) + scoped_plain_load(&l->count));
  scoped_assert(g->phase > 0);
}
"""
OTHERS_CONTAIN = {
    "use_threads": ["bar.sync", "bar.red.popc.u32", "barrier.sync", "barrier.arrive", "bar.warp.sync",
                    "shfl.sync.bfly.b32", "vote.sync.ballot.b32", "match.any.sync.b32", "redux.sync.add.u32",
                    "barrier.cluster.arrive.relaxed", "barrier.cluster.wait"],
    "use_objects": ["atom.add.acq_rel.gpu", "st.release.gpu.b32", "ld.acquire.gpu.b32", "atom.cas.acquire.gpu.b32",
                    "ld.volatile", "st.volatile"],
}


def source(listed):
    lines = ["#include <warpsan/scoped.h>", "#if defined(__CUDACC__)", '#define TEST extern "C" __device__', "#else",
             "#define TEST", "#endif"]
    for name, head, body, _ in listed:
        head = head.replace("{name}", name)
        lines.append(f"TEST {head};" if "(void)" in head else f"TEST {head};")
        lines.append(f"TEST {head} {{ {body} }}")
    return "\n".join(lines) + OTHERS


def compile_command(compiler, include, path, out):
    if compiler == "nvcc":
        return [os.environ.get("NVCC", "nvcc"), "-ptx", "-rdc=true", "-std=c++17", "-arch=sm_90", f"-I{include}",
                "-o", out, path]
    return [os.environ.get("CLANG_NVPTX", "clang-22"), "--target=nvptx64-nvidia-cuda", "-march=sm_90",
            "-Xclang", "-target-feature", "-Xclang", "+ptx78", "-ffreestanding", "-std=c17", "-O2", "-S", f"-I{include}",
            "-o", out, path]


INSTRUCTION = re.compile(r"\b((?:ld|st|atom|red|fence|membar|nanosleep)\.[a-z0-9_.:]+)")
FUNCTION = re.compile(r"\.func\b[^;{]*?\b(\w+)\s*\((?:[^;{]*)\)\s*\{(.*?)^\}", re.S | re.M)


def without_comments(ptx):
    return re.sub(r"//[^\n]*", "", ptx)


def instructions(ptx):
    found = {}
    for name, body in FUNCTION.findall(without_comments(ptx)):
        body = re.sub(r"\b(ld|st)\.(param|local)[^;]*;", "", body)
        found[name] = INSTRUCTION.findall(body)
    return found


def agrees(name, found, expected):
    # A compiler may peel a loop.
    return set(found or []) == set(expected) if name.startswith("wait_") else found == expected


def main():
    include, compiler = sys.argv[1:3]
    listed = list(cases())
    command = compile_command(compiler, include, "", "")[0]
    if not shutil.which(command):
        print(f"skipped: {command} is absent")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / ("scoped.cu" if compiler == "nvcc" else "scoped.c")
        out = pathlib.Path(folder) / "scoped.ptx"
        path.write_text(source(listed))
        done = subprocess.run(compile_command(compiler, include, str(path), str(out)), capture_output=True, text=True)
        if done.returncode:
            print(done.stdout + done.stderr)
            sys.exit("the compiler reports errors")
        ptx = out.read_text()
        assembler = shutil.which("ptxas")
        if assembler and compiler == "nvcc":
            subprocess.run([assembler, "-c", "-arch=sm_90", "-o", os.devnull, str(out)], check=True)
        if compiler == "nvcc":
            both = pathlib.Path(__file__).parent / "host_and_device.cu"
            program = pathlib.Path(folder) / "both"
            subprocess.run([command, "-std=c++17", "-arch=sm_90", f"-I{include}", "-o", str(program), str(both)],
                           check=True)
            subprocess.run([str(program)], check=True)  # its host side; no GPU is needed
    found, errors = instructions(ptx), 0
    for name, _, _, expected in listed:
        if not agrees(name, found.get(name), expected):
            errors += 1
            if errors < 20:
                print(f"{name}: expected {'; '.join(expected) or 'nothing'}, found "
                      f"{'; '.join(found[name]) if name in found else 'no such function'}")
    bodies = {name: body for name, body in FUNCTION.findall(without_comments(ptx))}
    for name, wanted in OTHERS_CONTAIN.items():
        missing = [text for text in wanted if text not in bodies.get(name, "")]
        if missing:
            errors += 1
            print(f"{name}: has no {', '.join(missing)}")
    print(f"{len(listed)} functions, {errors} differ")
    sys.exit(1 if errors or len(listed) < 1000 else 0)


if __name__ == "__main__":
    main()
