#!/usr/bin/env python3
"""Writes random kernels without races, with their launch lines, to be run on a GPU and here.

usage: random_kernels.py SEED COUNT > NAME.cu

Arithmetic of all kinds, divergent branches and loops, arrays in local memory that are indexed and accessed in parts,
calls, shuffles, votes, exchange through shared memory. What threads leave depends neither on their order nor on how an
assembler joins operations. Each kernel has a buffer of its own.
"""
import random
import re
import sys

HEAD = """#include <cuda_fp16.h>

__device__ __noinline__ unsigned shifts(unsigned a, unsigned b)
{
  if (a == 0 || b > 0xf0000000u)
    return b;
  unsigned r = 0;
  for (unsigned i = 0; i < (a & 15); i++)
    r += b >> i;
  return r ^ a;
}

__device__ __noinline__ unsigned table(unsigned a, unsigned b)
{
  unsigned x[4] = {a, b, a ^ b, a + b};
  x[a & 3] += x[b & 3];
  return x[0] ^ x[(a >> 2) & 3] ^ x[3];
}

__device__ __noinline__ unsigned steps(unsigned a, unsigned b)
{
  while (a & 0xf0) {
    b = b * 5 + a;
    a >>= 3;
  }
  return a - b;
}
"""

KERNEL = """
extern "C" __global__ void {name}(const unsigned *in, unsigned *out)
{{
  __shared__ unsigned s[96];
  unsigned t = threadIdx.x, id = blockIdx.x * 96 + t, l[8];
  uint4 v = ((const uint4 *)in)[id];
  unsigned a = v.x, b = v.y, c = v.z, d = v.w;
  unsigned long long q = ((unsigned long long)a << 32) | c;
  float f = __uint2float_rn(b), g = __int_as_float((int)c);
  double h = __hiloint2double((int)a, (int)d);
  for (unsigned i = 0; i < 8; i++)
    l[i] = a * i + b;
{body}
  unsigned sum = a ^ (b * 3) ^ (c * 5) ^ (d * 7) ^ (unsigned)q ^ (unsigned)(q >> 32) ^ __float_as_uint(f);
  sum ^= (unsigned)__double2hiint(h) ^ (unsigned)__double2loint(h);
  for (unsigned i = 0; i < 8; i++)
    sum += l[i] * i;
  out[id] = sum;
}}
"""

LAUNCH = "// launch: kernel={name} grid=2 block=96 args=in:u32[768]=random:{seed},{name}_out:u32[192]=0"

# V is a variable; U, F, D, H are expressions of unsigned, float, double and half; #N# is a number below N;
# [[A~B]] is one of these.
UNSIGNED = [
    *["(U [[+~-~*~^~&~|]] U)"] * 4,
    "(U [[<<~>>]] (U & 31))", "(unsigned)((int)U >> (U & 31))", "(U [[/~%]] (U | 1u))",
    "(unsigned)((int)(U >> 1) [[/~%]] (int)((U & 0xffff) | 1u))", "__byte_perm(U, U, U)",
    "(unsigned)__[[popc~clz~ffs~brev]](U)", "__funnelshift_[[l~r~lc~rc]](U, U, U)", "__umulhi(U, U)",
    "(unsigned)__mulhi((int)U, (int)U)", "(unsigned)[[min~max]]((int)U, (int)U)", "[[min~max]](U, U)",
    "(U [[<~>~==~!=~<=~>=]] U ? U : U)", "((int)U [[<~>=]] (int)U ? U : U)", "(unsigned)(q >> (U & 63))",
    "(unsigned)([[signed char~unsigned char~short~unsigned short]])(U)",
    "__v[[add2~sub4~maxu4~mins2~absdiffu4~cmpgtu4~avgu4~addss2~subus4~setltu2]](U, U)", "__sad((int)U, (int)U, U)",
    "(unsigned)__dp4a((int)U, (int)U, (int)U)", "__float_as_uint(F)", "(unsigned)__float2int_[[rn~rz~ru~rd]](F)",
    "(unsigned)__double2loint(D)", "(unsigned)__double2int_[[rn~rz~ru~rd]](D)", "[[shifts~table~steps]](U, U)",
    "((unsigned)__double2hiint(D) ^ U)", "(unsigned)__half_as_ushort(H)", "((unsigned char *)l)[U & 31]",
]
FLOAT = [
    *["__f[[add~mul~sub]]_[[rn~rz~ru~rd]](F, F)"] * 3, "__fmaf_[[rn~rz~ru~rd]](F, F, F)", "fminf(F, F)",
    "__f[[sqrt~rcp]]_rn(F)", "__fdiv_rn(F, F)", "[[fabsf~floorf~truncf~rintf~-]](F)", "__half2float(H)",
]
DOUBLE = [
    *["__d[[add~mul~sub]]_[[rn~rz~ru~rd]](D, D)"] * 3, "__fma_[[rn~rz~ru~rd]](D, D, D)", "fmax(D, D)", "__dsqrt_rn(D)",
    "__ddiv_rn(D, D)",
]
HALF = ["__hadd_rn(H, H)", "__hmul_rn(H, H)", "__hfma(H, H, H)", "__float2half_rz(F)"]
LEAVES = {
    "U": ["V", "V", "#64#u", "#4294967296#u", "[[0xffffffffu~0x80000000u~1u~3u]]", "t", "(unsigned)q",
          "l[V & 7]"],
    "F": ["f", "g", "__uint2float_rn(V)", "__int2float_rz((int)V)", "[[1.5f~-0.0f~3.25e-39f]]"],
    "D": ["h", "(double)f", "__uint2double_rn(V)", "[[0.1~-3.0e-310]]"],
    "H": ["__ushort_as_half((unsigned short)V)", "__float2half_rn(f)"],
    "V": ["a", "b", "c", "d"],
}
NODES = {"V": LEAVES["V"], "U": UNSIGNED, "F": FLOAT, "D": DOUBLE, "H": HALF}
# An assembler may take a half that is cut to a byte for its value, so parts are taken of other numbers only.
ASSIGNMENTS = [
    *["V [[=~+=~^=~-=~*=]] U;"] * 6,
    "q [[=~+=~^=~*=]] (unsigned long long)U [[*~+~<<]] (U & 31);",
    "q = [[__umul64hi(q, q + U)~q % (U | 7ull)~__brevll(q) ^ U~(unsigned long long)__popcll(q) + U]];",
    "q = (unsigned long long)((long long)q / (long long)((U & 0xffffff) | 1u));",
    "q = (unsigned long long)((long long)q >> (U & 63));", "f = F;", "h = D;", "l[U & 7] = U;",
    "((unsigned short *)l)[U & 15] = (unsigned short)(U * 3u);",
]
# All threads of a warp or of the block are here.
TOGETHER = [
    "V = __shfl[[~_xor~_up~_down]]_sync(0xffffffffu, U, #32#);",
    "V ^= __shfl_sync(0xffffffffu, U, t & 7, 8);",
    "V ^= __ballot_sync(0xffffffffu, U & 4);",
    "V += __reduce_[[add~max~xor]]_sync(0xffffffffu, U);",
    "V ^= __match_any_sync(0xffffffffu, U & 3);",
    "V += (unsigned)__[[any~all]]_sync(0xffffffffu, U == 3u);",
    "s[t] = U; __syncthreads(); V += s[(t * #9# + #96#) % 96]; __syncthreads();",
    "((unsigned short *)s)[t] = (unsigned short)(U * 3u); __syncthreads(); "
    "V += ((unsigned short *)s)[(t * #9# + #96#) % 96]; __syncthreads();",
    "if (t < 16) s[t] = U; __syncthreads(); atomic[[Add~Max~Xor~Or~Min]](&s[U & 15], U); __syncthreads(); "
    "V += s[t & 15]; __syncthreads();",
]


CHOICE = re.compile(r"\[\[(.*?)\]\]")
NUMBER = re.compile(r"#(\d+)#")
EXPRESSION = re.compile(r"\b([UFDHV])\b")


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = 0

    def expand(self, text, depth):
        """The text with its choices, numbers and expressions."""
        text = CHOICE.sub(lambda found: self.random.choice(found[1].split("~")), text)
        text = NUMBER.sub(lambda found: str(self.random.randrange(int(found[1]))), text)
        return EXPRESSION.sub(lambda found: self.expression(found[1], depth), text)

    def expression(self, kind, depth):
        forms = NODES[kind] if depth > 0 else LEAVES[kind]
        return self.expand(self.random.choice(forms), depth - 1 - self.random.randrange(2))

    def line(self, forms, depth=2):
        return self.expand(self.random.choice(forms), depth)

    def block(self, count, depth, is_uniform, in_loop):
        return ["  " + line for _ in range(count) for line in self.statement(depth, is_uniform, in_loop)]

    def part(self, depth, in_loop):
        return self.block(self.random.randrange(1, 3), depth - 1, False, in_loop)

    def statement(self, depth, is_uniform, in_loop):
        kind = self.random.randrange(14)
        self.loops += 1
        i = f"i{self.loops}"
        if depth <= 0 or kind < 5:
            return [self.line(ASSIGNMENTS)]
        if kind < 7:
            other = ["} else {", *self.part(depth, in_loop)] if self.random.random() < 0.6 else []
            return [self.expand("if (U & [[1~2~4]]) {", 1), *self.part(depth, in_loop), *other, "}"]
        if kind == 7:
            bound = self.expand("U & 7", 1)
            return [f"for (unsigned {i} = 0, n{i} = {bound}; {i} < n{i}; {i}++) {{", *self.part(depth, True), "}"]
        if kind == 8:
            body = self.block(self.random.randrange(1, 3), depth - 1, is_uniform, False)
            return [f"for (unsigned {i} = 0; {i} < {self.random.randrange(1, 4)}; {i}++) {{", *body, "}"]
        if kind == 9 and in_loop:
            return [self.expand("if ((U & 7) == #8#) [[break~continue]];", 0)]
        if kind == 10:
            lines = [self.expand("switch (U & 3) {", 1)]
            for label in ("case 0:", "case 1:", "default:"):
                lines += [label, *self.block(1, depth - 2, False, False)]
                lines += ["  break;"] if self.random.random() < 0.7 else []
            return [*lines, "}"]
        if kind > 10 and is_uniform:
            return [self.line(TOGETHER, 1)]
        return [self.line(ASSIGNMENTS, 3)]


def main():
    seed, count = map(int, sys.argv[1:3])
    writer = Writer(seed)
    names = [f"random_{seed}_{i}" for i in range(count)]
    print(f"// Written by random_kernels.py {seed} {count}.")
    print(*(LAUNCH.format(name=name, seed=seed) for name in names), sep="\n")
    print(HEAD, end="")
    for name in names:
        body = "\n".join(writer.block(writer.random.randrange(6, 14), 3, True, False))
        print(KERNEL.format(name=name, body=body), end="")


main()
