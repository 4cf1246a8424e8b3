// The fast functions in plain C.
#define VECTOR_TABLE vector_plain
#define VECTOR_COUNT vector_plain_count
#define VECTOR_HELPERS vector_plain_helpers
#include "emu/vector_lanes.inc"
