#!/usr/bin/env python3
"""Computes the results of a recording of arithmetic anew, on the NVIDIA GPU of this machine.

usage: record_alu.py RECORDING > NEW

RECORDING is tests/unit/ptx_alu_h200.txt or a file of that form; the results in it are ignored, so a
new form needs its operands only. Needs the driver (libcuda.so.1), which assembles the PTX itself.
"""
import ctypes
import sys

HEAD = ".version {version}\n.target sm_{target}\n.address_size 64\n"
# One thread for each row; operands and results are 64-bit words.
PROLOGUE = """.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 count) {{
.reg .b64 %x<8>;
.reg .b32 %y<8>;
.reg .pred %q;
ld.param.u64 %x0, [in];
ld.param.u64 %x1, [out];
ld.param.u32 %y0, [count];
mov.u32 %y1, %ctaid.x;
mov.u32 %y2, %ntid.x;
mov.u32 %y3, %tid.x;
mad.lo.u32 %y1, %y1, %y2, %y3;
setp.ge.u32 %q, %y1, %y0;
@%q ret;
mul.wide.u32 %x2, %y1, {operand_bytes};
add.u64 %x0, %x0, %x2;
mul.wide.u32 %x3, %y1, {result_bytes};
add.u64 %x1, %x1, %x3;
"""
THREADS = 128
LOG_BYTES = 4096
INFO_OPTIONS = (5, 6)  # CU_JIT_ERROR_LOG_BUFFER and its size


class Form:
    def __init__(self, text):
        self.text = text
        self.widths_line = ""
        self.rows = []

    def set_widths(self, line):
        self.widths_line = line
        _, results, operands, *_ = line.split()
        self.result_bits = [int(bits) for bits in results.split(",")]
        self.operand_bits = [int(bits) for bits in operands.split(",")]


def read_forms(path):
    comments, forms = [], []
    for line in open(path, encoding="ascii"):
        line = line.rstrip("\n")
        if line.startswith("#"):
            comments.append(line)
        elif line.startswith("form "):
            forms.append(Form(line[len("form "):]))
        elif line.startswith("widths "):
            forms[-1].set_widths(line)
        else:
            forms[-1].rows.append([int(word, 16) for word in line.split("=")[0].split()])
    return comments, forms


def load_operand(index, bits):
    yield f"ld.global.b64 %x4, [%x0+{8 * index}];"
    if bits == 1:
        yield f"cvt.u32.u64 %y4, %x4;\nsetp.ne.u32 A{index}, %y4, 0;"
    else:
        yield f"mov.b64 A{index}, %x4;" if bits == 64 else f"cvt.u{bits}.u64 A{index}, %x4;"


def store_result(index, bits):
    if bits == 1:
        yield f"selp.u64 %x5, 1, 0, D{index};"
    else:
        yield f"mov.b64 %x5, D{index};" if bits == 64 else f"cvt.u64.u{bits} %x5, D{index};"
    yield f"st.global.b64 [%x1+{8 * index}], %x5;"


def declare(letter, widths):
    for index, bits in enumerate(widths):
        yield f".reg .{'pred' if bits == 1 else f'b{bits}'} {letter}{index};"


def kernel(form, version, target):
    lines = [HEAD.format(version=version, target=target)]
    lines.append(PROLOGUE.format(operand_bytes=8 * len(form.operand_bits),
                                 result_bytes=8 * len(form.result_bits)))
    lines += [*declare("D", form.result_bits), *declare("A", form.operand_bits)]
    for index, bits in enumerate(form.operand_bits):
        lines += load_operand(index, bits)
    lines.append(form.text)
    for index, bits in enumerate(form.result_bits):
        lines += store_result(index, bits)
    return "\n".join(lines + ["ret;", "}", ""])


class Device:
    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(major), 75, device)
        self.call("cuDeviceGetAttribute", ctypes.byref(minor), 76, device)
        self.target = 10 * major.value + minor.value

    def call(self, name, *arguments):
        status = getattr(self.cuda, name)(*arguments)
        if status:
            raise RuntimeError(f"{name} gave the error {status}")

    def load(self, text):
        """The module, or the assembler's message."""
        log = ctypes.create_string_buffer(LOG_BYTES)
        options = (ctypes.c_int * 2)(*INFO_OPTIONS)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), LOG_BYTES)
        module = ctypes.c_void_p()
        status = self.cuda.cuModuleLoadDataEx(ctypes.byref(module), text.encode() + b"\0", 2,
                                              options, values)
        return (None, log.value.decode()) if status else (module, "")

    def buffer(self, size):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
        return address

    def run(self, module, form):
        words = [word for row in form.rows for word in row]
        operands = (ctypes.c_uint64 * len(words))(*words)
        results = (ctypes.c_uint64 * (len(form.rows) * len(form.result_bits)))()
        function, count = ctypes.c_void_p(), ctypes.c_uint32(len(form.rows))
        self.call("cuModuleGetFunction", ctypes.byref(function), module, b"k")
        source, target = self.buffer(ctypes.sizeof(operands)), self.buffer(ctypes.sizeof(results))
        self.call("cuMemcpyHtoD_v2", source, operands, ctypes.c_size_t(ctypes.sizeof(operands)))
        arguments = (ctypes.c_void_p * 3)(*map(ctypes.addressof, (source, target, count)))
        blocks = -(-len(form.rows) // THREADS)
        self.call("cuLaunchKernel", function, blocks, 1, 1, THREADS, 1, 1, 0, None, arguments, None)
        self.call("cuMemcpyDtoH_v2", results, target, ctypes.c_size_t(ctypes.sizeof(results)))
        for address in (source, target):
            self.call("cuMemFree_v2", address)
        width = len(form.result_bits)
        return [results[i:i + width] for i in range(0, len(results), width)]


def record(device, form):
    module, message = device.load(kernel(form, "8.6", device.target))
    if not module:
        print(f"{form.text} {message.strip()}", file=sys.stderr)
        return
    results = device.run(module, form)
    device.call("cuModuleUnload", module)
    print(f"form {form.text}\n{form.widths_line}")
    for row, values in zip(form.rows, results):
        print(" ".join(f"{word:x}" for word in row), "=", " ".join(f"{word:x}" for word in values))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    comments, forms = read_forms(sys.argv[1])
    device = Device()
    print("\n".join(comments))
    for form in forms:
        record(device, form)


if __name__ == "__main__":
    main()
