// libFuzzer target: any bytes read as a PTX module. What is read must print to a text that reads
// back as an equal module, and each of its instructions must decode without harm. Build and run:
//   clang -std=c17 -g -O1 -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -Isrc
//     fuzz/fuzz_ptx.c src/ptx/*.c src/base/*.c -o fuzz_ptx
//   ./fuzz_ptx -max_len=4096 CORPUS
#include "ptx/modifiers.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static PtxModule *read_text(const Source *source, Arena *arena) {
  DiagList diags;
  diag_list_init(&diags, arena);
  PtxModule *module = ptx_parse_module(source, arena, &diags);
  if ((module != NULL) != diag_list_is_ok(&diags))
    abort(); // a failure that nobody is told about, or the other way round
  if (module)
    ptx_module_check(module);
  return module;
}

static void decode_all(const PtxModule *module, Arena *arena) {
  DiagList diags;
  diag_list_init(&diags, arena);
  for (uint32_t i = 0; i < module->instructions.count; i++) {
    PtxModifiers modifiers;
    bool is_decoded =
        ptx_decode_modifiers(module, &module->instructions.items[i], &modifiers, &diags);
    if (!is_decoded && diag_list_is_ok(&diags))
      abort();
  }
}

static void use_module(const PtxModule *module, Arena *arena) {
  for (uint32_t i = 0; i < module->locations.count; i++)
    ptx_function_name(module, &module->locations.items[i]);
  for (uint32_t i = 0; i < module->variables.count; i++)
    ptx_variable_size(module, &module->variables.items[i]);
  decode_all(module, arena);
  size_t length;
  const char *text = ptx_print_module(module, arena, &length);
  Source printed = {"printed.ptx", text, (uint32_t)length};
  const PtxModule *again = read_text(&printed, arena);
  if (!again || !ptx_modules_equal(module, again))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Arena arena;
  arena_init(&arena, NULL, 0);
  char *text = arena_copy_text(&arena, (const char *)data, size);
  Source source = {"fuzz.ptx", text, (uint32_t)size};
  const PtxModule *module = read_text(&source, &arena);
  if (module)
    use_module(module, &arena);
  arena_release(&arena);
  return 0;
}
