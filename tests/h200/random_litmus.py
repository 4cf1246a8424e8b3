#!/usr/bin/env python3
"""Writes random litmus tests, and a CUDA program that counts what a GPU makes of each.

usage: random_litmus.py SEED COUNT FOLDER    FOLDER/NAME.litmus, and FOLDER/litmus.cu for `nvcc -arch=sm_90`
       random_litmus.py --join FOLDER SEEN   the tests with what was seen, from the program's output in SEEN

The program's argument is the number of launches of each test (60). A test runs in each lane of a warp for each thread,
in memory of its own; its warps meet before they begin. A thread reads a place by one kind of load only: an assembler may
swap a weak or a volatile load with another one of the same place, which the model forbids.
"""
import pathlib
import random
import sys

HEAD = """// Written by random_litmus.py.
#include <cstdio>
#include <cstdlib>

// Warps of a team wait for each other, then for some cycles more.
__device__ void meet(unsigned *count, unsigned wanted, unsigned key)
{
  unsigned seen, tries = 0;
  if (threadIdx.x % 32 == 0) {
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(count) : "memory");
    do
      asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(count) : "memory");
    while (seen < wanted && ++tries < 100000);
  }
  __syncwarp();
  key = (key ^ key >> 13) * 0x5bd1e995u;
  key ^= key >> 15;
  for (long long begin = clock64(); clock64() - begin < (key & 511);)
    ;
}
"""
KERNEL = """
__global__ void {name}(unsigned *memory, unsigned *codes, unsigned *counts, unsigned rounds, unsigned apart,
                     unsigned between, unsigned seed)
{{
  static const unsigned char place[] = {{{places}}};
  unsigned warp = threadIdx.x / 32, team = blockIdx.x / {blocks};
  if (place[warp] != blockIdx.x % {blocks})
    return;
  for (unsigned round = 0; round < rounds; round++) {{
    unsigned instance = (team * rounds + round) * 32 + threadIdx.x % 32;
    unsigned *x = memory + (size_t)instance * apart, *y = x + between, *z = y + between;
    unsigned key = round * 2654435761u ^ warp * 3928791u ^ seed * 2654435769u ^ blockIdx.x;
    meet(counts + team * 32, {threads} * (round + 1), key);
    switch (warp) {{
{cases}    }}
  }}
}}
"""
MAIN = """
// A place for each outcome: three bits for each register and each variable.
__global__ void tally(const unsigned *memory, const unsigned *codes, unsigned count, unsigned apart, unsigned between,
                      unsigned registers, unsigned variables, unsigned *outcomes)
{{
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {{
    unsigned code = codes[i];
    for (unsigned v = 0; v < variables; v++)
      code |= (memory[(size_t)i * apart + v * between] & 7) << 3 * (registers + v);
    atomicAdd(outcomes + code, 1u);
  }}
}}

typedef void Kernel(unsigned *, unsigned *, unsigned *, unsigned, unsigned, unsigned, unsigned);
struct Test {{
  const char *name;
  Kernel *kernel;
  unsigned blocks, threads, registers, variables;
}};

int main(int, char **arguments)
{{
  enum {{ ROUNDS = 64, BLOCKS = 264, MEMORY = 1 << 29 }}; // words
  static const Test tests[] = {{
{tests}  }};
  // Words from one instance to the next, and from one variable to the next.
  static const unsigned layouts[][2] = {{{{4, 1}}, {{64, 1}}, {{96, 32}}, {{288, 64}}, {{6, 1}}, {{512, 160}}}};
  unsigned *memory, *codes, *counts, *outcomes, *seen = (unsigned *)malloc((size_t)4 << 24);
  cudaMalloc(&memory, (size_t)MEMORY * 4);
  cudaMalloc(&codes, 64 << 20);
  cudaMalloc(&counts, 1 << 20);
  cudaMalloc(&outcomes, (size_t)4 << 24);
  for (const Test &test : tests) {{
    size_t size = (size_t)1 << 3 * (test.registers + test.variables);
    cudaMemset(outcomes, 0, size * 4);
    for (int i = 0; i < atoi(arguments[1]); i++) {{
      unsigned teams = BLOCKS / test.blocks / (i % 4 == 3 ? 4 : 1), count = teams * ROUNDS * 32;
      unsigned apart = layouts[i % 6][0], between = layouts[i % 6][1];
      cudaMemset(memory, 0, (size_t)count * apart * 4);
      cudaMemset(codes, 0, count * 4);
      cudaMemset(counts, 0, teams * 128);
      test.kernel<<<teams * test.blocks, 32 * test.threads>>>(memory, codes, counts, ROUNDS, apart, between, i);
      tally<<<BLOCKS, 256>>>(memory, codes, count, apart, between, test.registers, test.variables, outcomes);
    }}
    cudaMemcpy(seen, outcomes, size * 4, cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess)
      return 1;
    printf("%s", test.name);
    for (size_t code = 0; code < size; code++)
      if (seen[code])
        printf(" %zx:%u", code, seen[code]);
    printf("\\n");
  }}
}}
"""
FENCES = ["fence.acq_rel", "fence.acq_rel", "fence.sc"]
LOADS = ["relaxed", "relaxed", "acquire", "weak", "volatile"]
STORES = ["relaxed", "relaxed", "release", "weak", "volatile"]
SCOPES = ["cta", "gpu", "gpu", "sys"]
MOST_REGISTERS = 5


class Access:
    """A load, a store or an atomic; or a fence, of which there is the text only."""

    def __init__(self, text, variable="", register=None, operand=""):
        self.text, self.variable, self.register, self.operand = text, variable, register, operand

    def litmus(self):
        """As a litmus test has it."""
        register = [] if self.register is None else [f"r{self.register}"]
        return f"{self.text} {', '.join([*register, *self.variable, *self.operand])}".strip()

    def cuda(self):
        """As a statement of inline PTX."""
        if not self.variable:
            return f'asm volatile("{self.text};" ::: "memory");'
        words = self.text.split(".")
        kind = [words.pop()] if words[0] == "atom" else []
        width = "b32" if kind == ["exch"] else "u32"
        text = ".".join([*words, "global", *kind, width])
        operand = f', "r"({self.operand}u)' if self.operand else ""
        if self.register is None:
            return f'asm volatile("{text} [%0], %1;" ::"l"({self.variable}){operand} : "memory");'
        more = ", %2" if operand else ""
        register = f'"=r"(r{self.register})'
        return f'asm volatile("{text} %0, [%1]{more};" : {register} : "l"({self.variable}){operand} : "memory");'


class Test:
    def __init__(self, name, chance):
        self.name, self.chance = name, chance
        count = chance.choice([2, 2, 2, 3, 3, 4])
        self.variables = "xyz"[:chance.choice([2, 2, 3]) if count > 2 else 2]
        self.stored = dict.fromkeys(self.variables, 0)
        self.places = self.choose_places(count)
        self.threads = [self.thread(chance.randrange(2, 4 if count == 2 else 3)) for _ in range(count)]
        self.registers = [(t, access.register) for t, thread in enumerate(self.threads) for access in thread
                          if access.register is not None]

    def choose_places(self, count):
        """The block of each thread."""
        places = [self.chance.randrange(2) for _ in range(count)] if self.chance.random() < 0.4 else list(range(count))
        blocks = sorted(set(places))
        return [blocks.index(place) for place in places]

    def scoped(self, forms):
        form = self.chance.choice(forms)
        return form if form in ("weak", "volatile") else f"{form}.{self.chance.choice(SCOPES)}"

    def thread(self, count):
        accesses, variable, loads = [], self.chance.choice(self.variables), {}
        for i in range(count):
            if i and self.chance.random() < 0.8:
                variable = self.chance.choice([other for other in self.variables if other != variable])
            if i and self.chance.random() < 0.4:
                accesses.append(Access(self.scoped(FENCES)))
            register = sum(access.register is not None for access in accesses)
            accesses.append(self.access(variable, register, loads))
        return accesses

    def access(self, variable, register, loads):
        kind = self.chance.random()
        if kind < 0.45:
            form = self.scoped(LOADS)
            if loads.setdefault(variable, form.split(".")[0]) in ("weak", "volatile"):
                form = loads[variable]
            elif form in ("weak", "volatile"):
                form = f"relaxed.{self.chance.choice(SCOPES)}"
            return Access(f"ld.{form}", variable, register)
        if kind < 0.88:
            self.stored[variable] = self.stored[variable] % 3 + 1
            return Access(f"st.{self.scoped(STORES)}", variable, None, str(self.stored[variable]))
        order = self.chance.choice(["relaxed", "acquire", "release", "acq_rel"])
        loads.setdefault(variable, "relaxed")
        return Access(f"atom.{order}.{self.chance.choice(SCOPES)}.{self.chance.choice(['exch', 'add'])}", variable,
                      register, str(self.chance.randrange(1, 3)))

    def is_wanted(self):
        adds = sum(int(access.operand) for thread in self.threads for access in thread if access.text.endswith("add"))
        return 0 < len(self.registers) <= MOST_REGISTERS and adds <= 4  # values stay below 8

    def state(self):
        """The names of registers and variables, in the order of their bits."""
        return [f"P{thread}:r{register}" for thread, register in self.registers] + list(self.variables)

    def litmus(self):
        rows = max(map(len, self.threads))
        cells = [[f"P{t}@cta {place},gpu 0" for t, place in enumerate(self.places)]]
        cells += [[thread[i].litmus() if i < len(thread) else "" for thread in self.threads] for i in range(rows)]
        lines = [f" {' | '.join(row)} ;" for row in cells]
        initial = " ".join(f"{variable}=0;" for variable in self.variables)
        condition = " /\\ ".join(f"{name} == 0" for name in self.state())
        return "\n".join([f"PTX {self.name}", f"{{ {initial} }}", *lines, f"exists ({condition})", ""])

    def cuda(self):
        cases = ""
        for t, thread in enumerate(self.threads):
            own = [(i, register) for i, (owner, register) in enumerate(self.registers) if owner == t]
            lines = [f"unsigned {', '.join(f'r{register}' for _, register in own)};"] if own else []
            lines += [access.cuda() for access in thread]
            lines += [f"atomicOr(codes + instance, (r{register} & 7) << {3 * i});" for i, register in own]
            body = "".join(f"      {line}\n" for line in lines)
            cases += f"    case {t}: {{\n{body}      break;\n    }}\n"
        return KERNEL.format(name=self.name, places=", ".join(map(str, self.places)), blocks=max(self.places) + 1,
                             threads=len(self.threads), cases=cases)

    def row(self):
        return (f'      {{"{self.name}", {self.name}, {max(self.places) + 1}, {len(self.threads)}, '
                f"{len(self.registers)}, {len(self.variables)}}},\n")


def write(seed, count, folder):
    chance, tests = random.Random(seed), []
    while len(tests) < count:
        test = Test(f"random_{seed}_{len(tests)}", chance)
        if test.is_wanted():
            tests.append(test)
    for test in tests:
        (folder / f"{test.name}.litmus").write_text(test.litmus())
    program = [HEAD, *(test.cuda() for test in tests), MAIN.format(tests="".join(test.row() for test in tests))]
    (folder / "litmus.cu").write_text("".join(program))


def join(folder, seen):
    for line in seen.read_text().splitlines():
        name, *outcomes = line.split()
        text = (folder / f"{name}.litmus").read_text()
        values = [[int(outcome.split(":")[0], 16) >> 3 * i & 7 for i in range(text.count("=="))] for outcome in outcomes]
        states = ", ".join(" ".join(map(str, state)) for state in values)
        print(f"{text}(* seen: {states} *)\n")


def main():
    if sys.argv[1] == "--join":
        join(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        write(int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3]))


main()
