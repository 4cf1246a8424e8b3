// Launch lines: which kernels run, where, with which arguments, and what must hold afterwards.
//   // launch: kernel=add grid=2 block=64 args=x:f32[128]=iota,out:f32[128]=0,n:u32=128
//   // final: out[i] == 2 * i for i=0..127
// `launch_parse` reads them from comments and from texts of the command line (docs/launch.md);
// `launch_final_holds` evaluates a condition over the buffers' contents.
#ifndef WARPSAN_PTX_LAUNCH_H
#define WARPSAN_PTX_LAUNCH_H

#include "ir/machine.h"
#include "ptx/ptx.h"

#define LAUNCH_LIMIT_BYTES ((uint64_t)1 << 30) // of all buffers, unless the caller says otherwise

enum {
  LAUNCH_MAX_LAUNCHES = 1024,
  LAUNCH_MAX_ARGUMENTS = 1024, // of one launch
  LAUNCH_MAX_FINALS = 1024,
  LAUNCH_MAX_VARIABLES = 8, // loop variables of one final condition
  LAUNCH_MAX_NODES = 4096,  // of one expression
  LAUNCH_MAX_ERRORS = 20,
  LAUNCH_MAX_DEVICE = 255,
  LAUNCH_MAX_DOMAIN = GRID_MOST_DOMAINS - 1, // cudaDevAttrMemSyncDomainCount
  LAUNCH_MAX_ARGUMENT_BYTES = 32764,         // of all parameters (PTX ISA, "Parameter State Space")
  LAUNCH_MAX_RANK = 5,                       // of a tensor
  LAUNCH_MAX_BOX = 256,
  // Of a device of compute capability 9.0 (CUDA C++ Programming Guide, "Compute Capabilities").
  LAUNCH_MAX_BLOCK_THREADS = 1024,
  LAUNCH_MAX_CLUSTER_BLOCKS = 16,
  LAUNCH_MAX_SHARED_BYTES = 232448, // 227 KiB, which a kernel has to opt in to
};

// Bytes begin .. end - 1 of a buffer.
typedef struct LaunchRange {
  uint64_t begin, end;
} LaunchRange;

// How an argument presents a buffer otherwise than by its address: as a tensor map or as a texture.
typedef struct LaunchView {
  PtxType type; // of an element
  // Of a tensor map: dimensions, their sizes and those of a box, the innermost first.
  uint32_t rank; // 0: it is a texture
  uint32_t size[LAUNCH_MAX_RANK], box[LAUNCH_MAX_RANK];
  uint32_t swizzle; // bytes of its pattern in shared memory: 32, 64 or 128; 0: none
  // Of a map for im2col mode: the box has so many channels and pixels; where the pixels that a copy
  // goes through begin and end, from the first and the last of the tensor, of all dimensions but
  // the channels and the images.
  bool is_im2col;
  int32_t lower[LAUNCH_MAX_RANK - 2], upper[LAUNCH_MAX_RANK - 2];
  // Of a texture: dimensions, their sizes in texels in `size`, elements of a texel.
  uint32_t texture_rank; // 0: it is a tensor map
  uint32_t channels;
  bool is_surface; // written as one; the kernel's instructions decide
} LaunchView;

// Bytes of an argument or of a buffer's contents that refer to a buffer: the address of a byte of
// it, or, in an argument, a view of all of it.
typedef struct LaunchReference {
  uint64_t at; // of the first byte that refers
  uint32_t buffer;
  uint64_t offset;        // of the byte whose address it is, at most the buffer's size
  const LaunchView *view; // NULL: an address of 8 bytes
  Span span;
} LaunchReference;

typedef struct LaunchPiece LaunchPiece;

// Device memory that launches get as arguments. Launches that name one buffer share its memory.
typedef struct LaunchBuffer {
  const char *name;
  PtxType type; // of an element: u8..u64, s8..s64, b8..b64, f16, bf16, f32 or f64
  uint64_t element_count, byte_count;
  // Initial contents: see launch_read_contents.
  const uint8_t *bytes;         // NULL: they are computed
  const LaunchPiece *computed;  // what all elements are; NULL: see `bytes`
  bool is_zero;                 // all bytes are, as is known without looking
  const LaunchRange *undefined; // sorted, neither empty nor touching
  uint32_t undefined_count;
  LaunchReference *references; // addresses in its initial contents, sorted by `at`
  uint32_t reference_count;
  MemoryHome home;    // of `buffers:`, else by the launches that name it (docs/launch.md)
  Span span;          // of its first declaration, `NAME=BUFFER:TYPE[COUNT]=INIT`
  Span contents_span; // of INIT in it
} LaunchBuffer;

// A kernel's parameter, in the order of the parameters: a scalar, an address or a view of a buffer,
// or a struct of them.
typedef struct LaunchArgument {
  const char *name;
  PtxType type;         // of a scalar, or of the elements of a buffer; PTX_TYPE_NONE: of a struct
  const uint8_t *bytes; // little endian, with zeros where it refers to buffers
  uint32_t byte_count;
  LaunchReference *references; // sorted by `at`
  uint32_t reference_count;
  Span span;
} LaunchArgument;

typedef struct Launch {
  const char *kernel;
  uint32_t grid[3], block[3], cluster[3]; // x, y, z; each at least 1
  bool has_cluster;                       // written, as opposed to the default
  bool is_cooperative;                    // all blocks are resident
  bool is_dependent;                      // programmatic dependent launch (pdl=1)
  bool is_host;                           // device=host: one thread of the CPU; `device` is 0
  uint32_t device, stream;
  uint32_t domain;       // memory synchronisation domain
  const uint32_t *after; // earlier launches, by index, whose end it waits for
  uint32_t after_count;
  uint32_t shared_bytes;   // dynamic shared memory of a block
  uint32_t resident_count; // only so many blocks fit at a time; 0: no such limit
  const LaunchArgument *arguments;
  uint32_t argument_count;
  Span kernel_span, block_span;
  Span cluster_span; // of the whole launch where no cluster is written
  Span span;
} Launch;

// How several launches are ordered.
typedef enum LaunchRelation {
  LAUNCH_RELATION_NONE, // not stated
  LAUNCH_RELATION_CONCURRENT,
  LAUNCH_RELATION_SEQUENTIAL,
  LAUNCH_RELATION_PDL,
} LaunchRelation;

typedef enum LaunchNodeKind {
  LAUNCH_NODE_INTEGER,    // `integer`
  LAUNCH_NODE_FLOATING,   // `floating`
  LAUNCH_NODE_VARIABLE,   // loop variable number `index`
  LAUNCH_NODE_ELEMENT,    // element a of buffer `index`
  LAUNCH_NODE_NOT,        // !a
  LAUNCH_NODE_COMPLEMENT, // ~a
  LAUNCH_NODE_NEGATE,     // -a
  LAUNCH_NODE_MULTIPLY,   // from here on: a operator b
  LAUNCH_NODE_DIVIDE,
  LAUNCH_NODE_REMAINDER,
  LAUNCH_NODE_ADD,
  LAUNCH_NODE_SUBTRACT,
  LAUNCH_NODE_SHIFT_LEFT,
  LAUNCH_NODE_SHIFT_RIGHT,
  LAUNCH_NODE_LESS,
  LAUNCH_NODE_LESS_EQUAL,
  LAUNCH_NODE_GREATER,
  LAUNCH_NODE_GREATER_EQUAL,
  LAUNCH_NODE_EQUAL,
  LAUNCH_NODE_NOT_EQUAL,
  LAUNCH_NODE_BIT_AND,
  LAUNCH_NODE_BIT_XOR,
  LAUNCH_NODE_BIT_OR,
  LAUNCH_NODE_AND,
  LAUNCH_NODE_OR,
  LAUNCH_NODE_CHOOSE, // a ? b : c
} LaunchNodeKind;

// A node of an expression. Its operands are nodes before it.
typedef struct LaunchNode {
  LaunchNodeKind kind;
  bool is_floating; // the value is a double; otherwise a signed 64-bit integer
  uint32_t a, b, c; // operands, indices of nodes
  uint32_t index;
  int64_t integer;
  double floating;
  Span span;
} LaunchNode;

// A loop variable that takes the values first .. last, which are at least one.
typedef struct LaunchVariable {
  const char *name;
  int64_t first, last;
  Span span;
} LaunchVariable;

// A condition on the buffers after everything has run: for all values of the loop variables.
typedef struct Final {
  const LaunchNode *nodes;
  uint32_t node_count; // the last node is the condition
  const LaunchVariable *variables;
  uint32_t variable_count;
  const LaunchBuffer *buffers; // those of the set
  Span span;                   // of the expression with its ranges
} Final;

// What `accept:`, `where:` and `level:` say, for inputs that are held against their own words.
typedef struct LaunchVerdict {
  ARRAY(const char *) accepted; // rules that may be found in place of the expected one
  ARRAY(uint32_t) lines;        // one of which the finding names, if there are any
  const char *level;            // "ptx", "cuda" or NULL
} LaunchVerdict;

typedef struct LaunchSet {
  const Launch *launches;
  uint32_t launch_count;
  const LaunchBuffer *buffers;
  uint32_t buffer_count;
  const Final *finals; // all of them must hold
  uint32_t final_count;
  LaunchRelation relation;
  const Machine *machine;  // of the options or of `machine:`; NULL: it supports everything
  const char *expectation; // of `expect:`: a rule's id or "clean"; NULL: none
  LaunchVerdict verdict;
  Span relation_span, expectation_span;
} LaunchSet;

typedef enum LaunchInputKind {
  LAUNCH_INPUT_COMMENTS, // a .cu, .c or .ptx file: its lines `// KEY: ...`
  LAUNCH_INPUT_LINES,    // a file of launch lines: the same, and the `//` may be missing
  LAUNCH_INPUT_LAUNCH,   // the text of --launch, with or without `launch:` before it
  LAUNCH_INPUT_FINAL,    // the text of --final, likewise
  LAUNCH_INPUT_RELATION,
  LAUNCH_INPUT_EXPECT,
} LaunchInputKind;

typedef struct LaunchInput {
  LaunchInputKind kind;
  const Source *source; // outlives the set, whose spans point into it
} LaunchInput;

typedef struct LaunchFileBytes {
  const uint8_t *bytes; // must live as long as the call of launch_parse
  uint64_t length;
  const char *error; // NULL, or why the file cannot be read: "no such file or directory"
} LaunchFileBytes;

// Reads the file of `file:PATH`, of which at most `limit_bytes` + 1 are wanted. A relative path is
// one from the folder of the file `from`, which has the launch line.
typedef LaunchFileBytes LaunchReadFile(void *context, Arena *arena, const char *from,
                                       const char *path, uint64_t limit_bytes);

typedef struct LaunchOptions {
  LaunchReadFile *read_file; // NULL: `file:` is an error
  void *context;
  uint64_t limit_bytes;   // of all buffers; 0: LAUNCH_LIMIT_BYTES
  const Machine *machine; // that launches run on; NULL: one that supports everything
  bool reads_verdicts;    // also the lines `accept:`, `where:` and `level:`
} LaunchOptions;

// Reads the launch lines of the inputs, in their order. A set without launches is one that no input
// has a launch line for. Everything lives in `arena`. On error reports to `diags` and returns NULL.
LaunchSet *launch_parse(const LaunchInput *inputs, uint32_t input_count,
                        const LaunchOptions *options, Arena *arena, DiagList *diags);

// A launch line that fits the kernel, for the user to fill in:
// "kernel=add grid=1 block=32 args=param_0:u32[32]=0".
const char *launch_template(const PtxModule *module, const PtxFunction *kernel, Arena *arena);

// Do the launches name kernels of the module, with sizes and arguments that these take? What is
// wrong is reported; `input` is the name of what the module was made of.
bool launch_check(const LaunchSet *set, const PtxModule *module, const char *input, Arena *arena,
                  DiagList *diags);

// The names of the kernels, for a message.
const char *launch_kernel_names(const PtxModule *module, Arena *arena);

// A parameter's name without that of its kernel, which compilers write before it: `param_0`.
const char *launch_parameter_name(const PtxModule *module, const PtxFunction *kernel,
                                  const PtxVariable *parameter);

// What a directive between header and body, such as `.reqntid 128`, says of a kernel: up to three
// sizes, 1 where they are left out. False: the kernel does not have it.
bool launch_find_sizes(const PtxModule *module, const PtxFunction *kernel, const char *directive,
                       uint32_t sizes[3]);

// Has the code a line `// launch: ...`?
bool launch_has_lines(const Source *source, Arena *arena);

// Asserts the invariants of a set: indices in range, sizes that agree, sorted ranges.
void launch_set_check(const LaunchSet *set);

// Writes `size` bytes of the initial contents of a LaunchBuffer, from `offset` on: little endian,
// undefined bytes and addresses are zero. Threads may do it at the same time.
void launch_read_contents(const void *context, uint64_t offset, uint64_t size, uint8_t *bytes);

// Index of the buffer of that name, or PTX_NONE.
uint32_t launch_find_buffer(const LaunchSet *set, const char *name);

// "u32" is a type of launch lines, "pred" is none.
bool launch_type_is_known(PtxType type);

// Puts the bytes of elements, which the buffer has, into the low bytes of `bits`, the others of
// which it clears. False: one of them is undefined.
typedef bool LaunchRead(void *context, uint32_t buffer, const int64_t *elements, uint32_t count,
                        uint64_t *bits);

// A LaunchRead of the initial contents; `context` is a LaunchSet.
bool launch_read_initial(void *context, uint32_t buffer, const int64_t *elements, uint32_t count,
                         uint64_t *bits);

typedef struct LaunchValue {
  bool is_floating;
  int64_t integer;
  double floating;
} LaunchValue;

typedef enum LaunchFailureKind {
  LAUNCH_FAILURE_FALSE,            // the condition is false
  LAUNCH_FAILURE_UNDEFINED,        // it needs an element that nothing has written
  LAUNCH_FAILURE_OUT_OF_RANGE,     // it needs an element that the buffer does not have
  LAUNCH_FAILURE_DIVISION_BY_ZERO, // of integers
  LAUNCH_FAILURE_SHIFT_COUNT,      // less than 0 or more than 63
} LaunchFailureKind;

// Why a condition does not hold: for the first values of the loop variables for which it does not,
// the last variable of the list running fastest.
typedef struct LaunchFailure {
  LaunchFailureKind kind;
  int64_t variables[LAUNCH_MAX_VARIABLES];
  uint32_t node;           // what fails: a comparison, an element, a division, a shift
  bool has_sides;          // `node` is a comparison, and these are the values that it compares:
  LaunchValue left, right; // otherwise `left` is the value that is wrong: the index, the count
  bool is_expected_false;  // `node` holds and stands under a `!`
} LaunchFailure;

// Does the condition hold? Otherwise fills in `failure`. Leaves nothing in `arena`.
bool launch_final_holds(const Final *final, LaunchRead *read, void *context, Arena *arena,
                        LaunchFailure *failure);

// The failure as a message: "out[i]==i+1 is false for i=3: 0 and 4".
const char *launch_failure_text(const Final *final, const LaunchFailure *failure, Arena *arena);

#endif
