// Kernels that try instructions one after the other: each instruction writes a row of `out`, with a
// column for each thread. The instructions are volatile, so that the compiler computes none of
// them.
#define PUT(value) out[row++ * blockDim.x + threadIdx.x] = (value)

// Threads 16 * i + j take the i-th and the j-th of 16 values.
#define FIRST(values) (values)[threadIdx.x / 16]
#define SECOND(values) (values)[threadIdx.x % 16]
#define THIRD(values) (values)[(threadIdx.x * 7 + threadIdx.x / 16) % 16]

// 32-bit (r), 64-bit (l), 16-bit (h), float (f) and double (d) operands.
#define UNARY(type, letter, source, source_letter, text, a)                                        \
  {                                                                                                \
    type d_;                                                                                       \
    asm volatile(text " %0, %1;" : "=" letter(d_) : source_letter(a));                             \
    PUT(d_);                                                                                       \
  }
#define BINARY(type, letter, text, a, letter_a, b, letter_b)                                       \
  {                                                                                                \
    type d_;                                                                                       \
    asm volatile(text " %0, %1, %2;" : "=" letter(d_) : letter_a(a), letter_b(b));                 \
    PUT(d_);                                                                                       \
  }
#define TERNARY(type, letter, text, a, letter_a, b, letter_b, c, letter_c)                         \
  {                                                                                                \
    type d_;                                                                                       \
    asm volatile(text " %0, %1, %2, %3;"                                                           \
                 : "=" letter(d_)                                                                  \
                 : letter_a(a), letter_b(b), letter_c(c));                                         \
    PUT(d_);                                                                                       \
  }
#define U1(text) UNARY(unsigned, "r", unsigned, "r", text, a)
#define U2(text) BINARY(unsigned, "r", text, a, "r", b, "r")
#define U3(text) TERNARY(unsigned, "r", text, a, "r", b, "r", c, "r")
#define L1(text) UNARY(unsigned long long, "l", unsigned long long, "l", text, a)
#define L2(text) BINARY(unsigned long long, "l", text, a, "l", b, "l")
#define L3(text) TERNARY(unsigned long long, "l", text, a, "l", b, "l", c, "l")
#define H1(text) UNARY(unsigned short, "h", unsigned short, "h", text, a)
#define H2(text) BINARY(unsigned short, "h", text, a, "h", b, "h")
#define H3(text) TERNARY(unsigned short, "h", text, a, "h", b, "h", c, "h")
#define F1(text) UNARY(float, "f", float, "f", text, a)
#define F2(text) BINARY(float, "f", text, a, "f", b, "f")
#define F3(text) TERNARY(float, "f", text, a, "f", b, "f", c, "f")
#define D1(text) UNARY(double, "d", double, "d", text, a)
#define D2(text) BINARY(double, "d", text, a, "d", b, "d")
#define D3(text) TERNARY(double, "d", text, a, "d", b, "d", c, "d")
