// Debug sections: the labelled texts of .debug_str, which .loc names as functions.
#include "ptx/parser.h"

#include <string.h>

static bool is_string_section(const PtxModule *module, const PtxSection *section) {
  return strcmp(ptx_text(module, section->name), "debug_str") == 0;
}

typedef struct StringReader {
  PtxModule *module;
  PtxLexer lexer;
  uint32_t error_count; // debug data is never an error: what does not fit is passed over
  DiagList diags;
  ARRAY(char) text;
  Name label; // of the text that is being read, 0: none
} StringReader;

static void finish_string(StringReader *reader) {
  PtxModule *module = reader->module;
  if (reader->label) {
    Name text = names_intern(&module->names, reader->text.items ? reader->text.items : "",
                             reader->text.count);
    array_push(module->arena, &module->debug_strings, (PtxDebugString){reader->label, text});
  }
  reader->label = 0;
  reader->text.count = 0;
}

static void read_byte(StringReader *reader, uint64_t value) {
  if (value == 0)
    finish_string(reader);
  else if (reader->label)
    array_push(reader->module->arena, &reader->text, (char)value);
}

void ptx_read_debug_strings(PtxModule *module, const PtxSection *section) {
  if (!is_string_section(module, section))
    return;
  StringReader reader = {.module = module};
  diag_list_init(&reader.diags, module->arena);
  reader.lexer = (PtxLexer){.source = module->source,
                            .at = section->data.begin,
                            .end = section->data.end,
                            .names = &module->names,
                            .diags = &reader.diags,
                            .error_count = &reader.error_count};
  PtxToken token = ptx_next_token(&reader.lexer);
  for (; token.kind != TOKEN_END && reader.error_count == 0;
       token = ptx_next_token(&reader.lexer)) {
    if (token.kind == TOKEN_NAME) {
      finish_string(&reader);
      reader.label = token.name;
    } else if (token.kind == TOKEN_INTEGER) {
      read_byte(&reader, token.value);
    }
  }
  finish_string(&reader);
}

const char *ptx_function_name(const PtxModule *module, const PtxLocation *location) {
  if (!location->function_name)
    return NULL;
  for (uint32_t i = 0; i < module->debug_strings.count; i++) {
    const PtxDebugString *string = &module->debug_strings.items[i];
    if (string->label != location->function_name)
      continue;
    const char *text = ptx_text(module, string->text);
    return location->function_offset < strlen(text) ? text + location->function_offset : NULL;
  }
  return NULL;
}
