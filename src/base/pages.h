// Pages of memory as the system hands them out.
#ifndef WARPSAN_BASE_PAGES_H
#define WARPSAN_BASE_PAGES_H

#include <stddef.h>

enum { LARGE_PAGE_BYTES = 2 << 20 };

// Asks for large pages, which cost fewer faults, where the memory has whole ones and the system
// gives them. For memory of which all is used before long.
void pages_prefer_large(void *memory, size_t size);

#endif
