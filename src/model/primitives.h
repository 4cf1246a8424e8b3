// The primitive sets and relations of .cat texts, by number.
#ifndef WARPSAN_MODEL_PRIMITIVES_H
#define WARPSAN_MODEL_PRIMITIVES_H

#include "cat/cat.h"

typedef enum Primitive {
#define PRIMITIVE(identifier, name, type, change, meaning) PRIMITIVE_##identifier,
#include "model/primitives.def"
#undef PRIMITIVE
  PRIMITIVE_COUNT,
} Primitive;

extern const CatPrimitive primitives[PRIMITIVE_COUNT];

#endif
