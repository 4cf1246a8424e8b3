#define _DEFAULT_SOURCE // madvise
#include "base/pages.h"

#include <stdint.h>
#include <sys/mman.h>

void pages_prefer_large(void *memory, size_t size) {
  size_t before = -(uintptr_t)memory % LARGE_PAGE_BYTES;
  size_t whole = size > before ? (size - before) / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES : 0;
#ifdef MADV_HUGEPAGE
  if (whole)
    madvise((uint8_t *)memory + before, whole, MADV_HUGEPAGE);
#else
  (void)whole;
#endif
}
