// The bytes of buffers: those that are computed are not kept, but made where they are wanted.
#include "ptx/launch_parser.h"

#include "base/bytes.h"

#include <string.h>

// Element `i` of the sequence is number i + 1 of SplitMix64 (Steele, Lea and Flood, 2014).
static uint64_t random_number(uint64_t seed, uint64_t i) {
  uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// `size` is a constant in each call, so that the bytes of an element are one store.
static inline void fill_integers(const LaunchPiece *piece, uint32_t size, uint8_t *bytes) {
  uint64_t first = (uint64_t)piece->first, step = (uint64_t)piece->step;
  uint64_t seed = piece->bits, begin = piece->begin, count = piece->count;
  if (piece->kind == LAUNCH_PIECE_STEP)
    for (uint64_t i = 0; i < count; i++)
      bytes_put(bytes + i * size, first + i * step, size);
  else
    for (uint64_t i = 0; i < count; i++)
      bytes_put(bytes + i * size, random_number(seed, begin + i), size);
}

static void fill_any_integers(const LaunchPiece *piece, uint32_t size, uint8_t *bytes) {
  switch (size) {
  case 1:
    fill_integers(piece, 1, bytes);
    break;
  case 2:
    fill_integers(piece, 2, bytes);
    break;
  case 4:
    fill_integers(piece, 4, bytes);
    break;
  default:
    fill_integers(piece, 8, bytes);
  }
}

// Multiples of 2^-digits from 0 up to below 1.
static double random_unit(uint64_t seed, uint64_t i, uint32_t digits) {
  double unit = 1 / (double)((uint64_t)1 << digits);
  return (double)(int64_t)(random_number(seed, i) >> (64 - digits)) * unit;
}

static uint32_t significand_digits(PtxType type) {
  switch (type) {
  case PTX_TYPE_f16:
    return 11;
  case PTX_TYPE_bf16:
    return 8;
  case PTX_TYPE_f64:
    return 53;
  default:
    return 24;
  }
}

static void fill_any_floating(PtxType type, const LaunchPiece *piece, uint8_t *bytes) {
  uint32_t size = launch_type_bytes(type), digits = significand_digits(type);
  for (uint64_t i = 0; i < piece->count; i++) {
    uint64_t integer = (uint64_t)piece->first + i * (uint64_t)piece->step;
    uint64_t bits =
        piece->kind == LAUNCH_PIECE_STEP
            ? launch_encode_integer(type, (int64_t)integer)
            : launch_encode_floating(type, random_unit(piece->bits, piece->begin + i, digits));
    bytes_put(bytes + i * size, bits, size);
  }
}

static void put_single(uint8_t *bytes, float single) {
  uint32_t bits;
  memcpy(&bits, &single, sizeof bits);
  bytes_put(bytes, bits, sizeof bits);
}

static bool is_int32(int64_t value) {
  return INT32_MIN <= value && value <= INT32_MAX;
}

// Are all integers of the piece such that a CPU converts many at a time?
static bool is_narrow(const LaunchPiece *piece) {
  if (!is_int32(piece->first) || piece->count > INT32_MAX)
    return false;
  return is_int32(piece->first + (int64_t)(piece->count - 1) * piece->step);
}

static void fill_singles(const LaunchPiece *piece, uint8_t *bytes) {
  uint64_t seed = piece->bits, begin = piece->begin, count = piece->count;
  int32_t first = (int32_t)piece->first, step = (int32_t)piece->step;
  if (piece->kind == LAUNCH_PIECE_RANDOM)
    for (uint64_t i = 0; i < count; i++)
      put_single(bytes + 4 * i, (float)random_unit(seed, begin + i, 24));
  else if (is_narrow(piece))
    for (uint64_t i = 0; i < count; i++)
      put_single(bytes + 4 * i, (float)(first + (int32_t)i * step));
  else
    fill_any_floating(PTX_TYPE_f32, piece, bytes);
}

static void fill_computed(PtxType type, const LaunchPiece *piece, uint8_t *bytes) {
  if (type == PTX_TYPE_f32)
    fill_singles(piece, bytes);
  else if (launch_type_is_floating(type))
    fill_any_floating(type, piece, bytes);
  else
    fill_any_integers(piece, launch_type_bytes(type), bytes);
}

// What is there already is copied, so that it doubles, but not past what caches like.
static void repeat(uint8_t *bytes, uint64_t size, uint64_t total) {
  enum { MOST_BYTES = 1 << 12 };
  for (uint64_t done = size, count; done < total; done += count) {
    count = done < MOST_BYTES ? done : MOST_BYTES;
    count = count < total - done ? count : total - done;
    memcpy(bytes + done, bytes, count);
  }
}

// The bytes are zero so far.
static void fill_piece(PtxType type, const LaunchPiece *piece, uint8_t *bytes) {
  uint32_t size = launch_type_bytes(type);
  switch (piece->kind) {
  case LAUNCH_PIECE_UNDEFINED:
  case LAUNCH_PIECE_ADDRESS:
    break;
  case LAUNCH_PIECE_BYTES:
    memcpy(bytes, piece->bytes, (size_t)(piece->count * size));
    break;
  case LAUNCH_PIECE_STEP:
  case LAUNCH_PIECE_RANDOM:
    fill_computed(type, piece, bytes);
    break;
  case LAUNCH_PIECE_REPEAT:
    if (piece->bits != 0) { // pages of a large buffer that nobody writes cost no memory
      bytes_put(bytes, piece->bits, size);
      repeat(bytes, size, piece->count * size);
    }
  }
}

static bool is_zero(const LaunchContents *contents) {
  for (uint32_t i = 0; i < contents->piece_count; i++) {
    const LaunchPiece *piece = &contents->pieces[i];
    if (piece->kind != LAUNCH_PIECE_UNDEFINED && piece->kind != LAUNCH_PIECE_ADDRESS &&
        (piece->kind != LAUNCH_PIECE_REPEAT || piece->bits != 0))
      return false;
  }
  return true;
}

typedef ARRAY(LaunchRange) RangeList;

static void add_range(Arena *arena, RangeList *ranges, uint64_t begin, uint64_t end) {
  LaunchRange *last = ranges->count ? &ranges->items[ranges->count - 1] : NULL;
  if (last && last->end == begin)
    last->end = end;
  else
    array_push(arena, ranges, (LaunchRange){begin, end});
}

typedef ARRAY(LaunchReference) ReferenceList;

static void add_references(Arena *arena, ReferenceList *references, const LaunchPiece *piece,
                           uint64_t at) {
  LaunchReference reference = piece->reference;
  for (uint64_t i = 0; i < piece->count; i++) {
    reference.at = at + i * sizeof(uint64_t);
    array_push(arena, references, reference);
  }
}

// Can any element of the contents be computed without the others?
static bool is_computed(const LaunchContents *contents) {
  LaunchPieceKind kind = contents->pieces[0].kind;
  return contents->piece_count == 1 &&
         (kind == LAUNCH_PIECE_REPEAT || kind == LAUNCH_PIECE_STEP || kind == LAUNCH_PIECE_RANDOM);
}

void launch_fill_buffer(Arena *arena, const LaunchContents *contents, LaunchBuffer *buffer) {
  RangeList undefined = {0};
  ReferenceList references = {0};
  uint64_t at = 0;
  buffer->is_zero = is_zero(contents);
  if (is_computed(contents)) {
    buffer->computed = &contents->pieces[0];
    return;
  }
  uint8_t *bytes = ARENA_ARRAY(arena, uint8_t, buffer->byte_count);
  for (uint32_t i = 0; i < contents->piece_count; i++) {
    const LaunchPiece *piece = &contents->pieces[i];
    uint64_t end = at + piece->count * launch_type_bytes(buffer->type);
    if (piece->kind == LAUNCH_PIECE_UNDEFINED)
      add_range(arena, &undefined, at, end);
    else if (piece->kind == LAUNCH_PIECE_ADDRESS)
      add_references(arena, &references, piece, at);
    fill_piece(buffer->type, piece, bytes + at);
    at = end;
  }
  buffer->bytes = bytes;
  buffer->undefined = undefined.items;
  buffer->undefined_count = undefined.count;
  buffer->references = references.items;
  buffer->reference_count = references.count;
}

// `count` elements of the piece, from the one of number `from` on.
static void compute(PtxType type, const LaunchPiece *piece, uint64_t from, uint64_t count,
                    uint8_t *bytes) {
  LaunchPiece part = *piece;
  part.first = (int64_t)((uint64_t)piece->first + from * (uint64_t)piece->step);
  part.begin = from;
  part.count = count;
  if (part.kind == LAUNCH_PIECE_REPEAT && part.bits == 0)
    memset(bytes, 0, (size_t)(count * launch_type_bytes(type)));
  else
    fill_piece(type, &part, bytes);
}

static void read_computed(const LaunchBuffer *buffer, uint64_t offset, uint64_t size,
                          uint8_t *bytes) {
  uint32_t element = launch_type_bytes(buffer->type);
  uint8_t one[sizeof(uint64_t)];
  for (uint64_t end = offset + size, count; offset < end; offset += count, bytes += count) {
    uint64_t i = offset / element, behind = offset % element, left = end - offset;
    if (behind == 0 && left >= element) {
      count = left / element * element;
      compute(buffer->type, buffer->computed, i, left / element, bytes);
    } else {
      count = left < element - behind ? left : element - behind;
      compute(buffer->type, buffer->computed, i, 1, one);
      memcpy(bytes, one + behind, count);
    }
  }
}

void launch_read_contents(const void *context, uint64_t offset, uint64_t size, uint8_t *bytes) {
  const LaunchBuffer *buffer = context;
  if (buffer->computed)
    read_computed(buffer, offset, size, bytes);
  else if (size)
    memcpy(bytes, buffer->bytes + offset, (size_t)size);
}
