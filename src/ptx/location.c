// Chains of inlined source lines: the .loc of an inlined line names the place of the call, which
// an earlier .loc of the same function describes.
#include "ptx/parser.h"

// Open addressing; each slot holds the newest .loc of one place.
typedef struct PlaceTable {
  const PtxModule *module;
  uint32_t *slots; // location + 1, 0: empty
  uint32_t mask;
} PlaceTable;

static uint32_t hash_place(uint32_t file, uint32_t line, uint32_t column) {
  uint64_t hash = file;
  hash = (hash ^ line) * UINT64_C(0x9E3779B97F4A7C15);
  hash = (hash ^ (hash >> 32) ^ column) * UINT64_C(0x9E3779B97F4A7C15);
  return (uint32_t)(hash >> 32);
}

static uint32_t *find_slot(const PlaceTable *table, uint32_t file, uint32_t line, uint32_t column) {
  uint32_t i = hash_place(file, line, column) & table->mask;
  for (; table->slots[i]; i = (i + 1) & table->mask) {
    const PtxLocation *location = &table->module->locations.items[table->slots[i] - 1];
    if (location->file == file && location->line == line && location->column == column)
      break;
  }
  return &table->slots[i];
}

static PlaceTable new_table(PtxModule *module) {
  uint32_t size = 16;
  while (size < 2 * module->locations.count)
    size *= 2;
  return (PlaceTable){module, ARENA_ARRAY(module->arena, uint32_t, size), size - 1};
}

static void link_location(const PlaceTable *table, PtxLocation *location, uint32_t index) {
  if (location->is_inlined) {
    uint32_t parent =
        *find_slot(table, location->inlined_file, location->inlined_line, location->inlined_column);
    location->parent = parent ? parent - 1 : PTX_NONE;
  }
  *find_slot(table, location->file, location->line, location->column) = index + 1;
}

void ptx_link_locations(PtxModule *module) {
  PlaceTable table = new_table(module);
  for (uint32_t i = 0; i < module->locations.count; i++)
    link_location(&table, &module->locations.items[i], i);
}
