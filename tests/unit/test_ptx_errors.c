// Wrong modules: exactly what is said, and where.
#include "ptx_unit.h"

typedef struct Case {
  const char *text, *messages; // "LINE:COLUMN: message\n", notes likewise
} Case;

// Compares all of them, so that one run shows every difference.
static void check_cases(Arena *arena, const Case *cases, size_t count) {
  size_t failure_count = 0;
  for (size_t i = 0; i < count; i++) {
    const char *messages = ptx_messages(arena, cases[i].text, strlen(cases[i].text));
    if (strcmp(messages, cases[i].messages) == 0)
      continue;
    print_error("%s\nexpected:\n%sfound:\n%s\n", cases[i].text, cases[i].messages, messages);
    failure_count++;
  }
  assert_int_equal(failure_count, 0);
}

static const Case preamble_cases[] = {
    {"", "1:1: expected '.version' at the start of the module, found end of file\n"},
    {"hello", "1:1: expected '.version' at the start of the module, found 'hello'\n"},
    {".target sm_90\n", "1:1: expected '.version' at the start of the module, found '.target'\n"},
    {".version x\n"
     ".target sm_90",
     "1:10: expected a version such as 8.5, found 'x'\n"},
    {".version 9\n"
     ".target sm_90",
     "1:10: expected a version such as 8.5, found '9'\n"},
    {".version 9.0", "1:13: expected '.target' behind the version, found end of file\n"},
    {".version 9.0\n"
     ".target 90",
     "2:9: expected a target such as sm_90, found '90'\n"},
    {".version 9.0\n"
     ".target sm_90\n"
     ".address_size 48",
     "3:15: expected an address size of 32 or 64, found '48'\n"},
    {".version 9.0\n"
     ".target sm_90\n"
     ".version 9.0",
     "3:1: expected '.version', '.target' and '.address_size' once and in this order, found "
     "'.version'\n"},
    {"\177ELF\002", "1:1: expected a token, found the byte 0x7f\n"
                    "1:2: expected '.version' at the start of the module, found 'ELF'\n"},
};

static const Case token_cases[] = {
    {PTX_BODY("mov.u32 %r, 0x;"), "5:13: expected a hexadecimal number, found '0x'\n"},
    {PTX_BODY("mov.u32 x, 12ab;"), "5:12: expected a decimal number, found '12ab'\n"},
    {PTX_BODY("mov.u32 x, 99999999999999999999;"),
     "5:12: expected an integer of at most 64 bits\n"},
    {PTX_BODY("mov.f32 x, 0f3F80;"), "5:12: expected 8 hexadecimal digits behind 0f, found 4\n"},
    {PTX_BODY("mov.f64 x, 0d3F80;"), "5:12: expected 16 hexadecimal digits behind 0d, found 4\n"},
    {PTX_BODY("mov.u32 x, #5;"), "5:12: expected a token, found the character '#'\n"},
    {PTX_BODY(".pragma \"open;\n"
              "ret;"),
     "5:9: expected '\"' before the end of the line\n"},
    {PTX_HEAD "/* never closed", "4:1: expected '*/' to close this comment, found end of file\n"},
    {PTX_BODY("`\001 ret;"), "5:1: expected a token, found the character '`'\n"},
    {PTX_BODY("mov.u32 x, 0b2;"), "5:12: expected a binary number, found '0b2'\n"},
    {PTX_BODY("mov.u32 x, 08;"), "5:12: expected an octal number, found '08'\n"},
};

static const Case declaration_cases[] = {
    {PTX_HEAD ".global foo;", "4:9: expected a type, found 'foo'\n"},
    {PTX_HEAD ".global .u32;", "4:13: expected a name to declare, found ';'\n"},
    {PTX_HEAD ".global .u32 x",
     "4:15: expected ',' or ';' behind the declaration, found end of file\n"},
    {PTX_HEAD ".global .u32 .u32 x;", "4:14: expected one type, found '.u32'\n"},
    {PTX_HEAD ".global .align 3 .u32 x;",
     "4:16: expected an alignment that is a power of two, found 3\n"},
    {PTX_HEAD ".global .align 0 .u32 x;",
     "4:16: expected an alignment that is a power of two, found 0\n"},
    {PTX_HEAD ".global .u32 x[4][];", "4:18: expected a size in every dimension but the first\n"},
    {PTX_HEAD ".global .u32 x[-1];", "4:16: expected an array size from 0 to 1099511627776\n"},
    {PTX_HEAD ".global .u32 x[1.5];", "4:16: expected an array size from 0 to 1099511627776\n"},
    {PTX_HEAD ".global .u32 x[4;", "4:17: expected ']' behind the array size, found ';'\n"},
    {PTX_HEAD ".global .u32 x[0xffffffffff];", "4:14: expected a variable of at most 2^40 bytes\n"},
    {PTX_HEAD ".global .u32 x[1048576][1048576];",
     "4:14: expected a variable of at most 2^40 bytes\n"},
    {PTX_HEAD ".global .u32 x[2] = {1, 2;",
     "4:26: expected ',' or '}' in the initialiser, found ';'\n"},
    {PTX_HEAD ".global .u32 x = ;", "4:18: expected an operand, found ';'\n"},
    {PTX_HEAD ".global .u32 x = 1 / 0;", "4:18: expected a divisor other than zero\n"},
    {PTX_HEAD ".global .u32 x = 1.5 % 2;",
     "4:18: expected integers for this operator, found a floating number\n"},
    {PTX_HEAD ".global .u64 x = generic(;",
     "4:26: expected a variable in 'generic(...)', found ';'\n"},
    {PTX_HEAD ".global .u64 x = y;", "4:18: expected a declared name, found 'y'\n"},
    {PTX_HEAD ".global .u32 x;\n"
              ".global .u32 x;",
     "5:14: expected a new name, 'x' is declared twice\n"
     "4:14: note: declared here first\n"},
    {PTX_HEAD ".visible .extern .global .u32 x;",
     "4:10: expected one linkage directive, found '.extern'\n"},
    {PTX_HEAD ".visible mov.u32 x;",
     "4:10: expected a function or a variable behind the linkage, found 'mov'\n"},
    {PTX_HEAD ".reg .u32 x;", "4:1: expected a state space of module scope, found '.reg'\n"},
    {PTX_HEAD ".local .u32 x;", "4:1: expected a state space of module scope, found '.local'\n"},
    {PTX_HEAD ".global .attribute(managed) .u32 x;",
     "4:20: expected an attribute such as '.managed', found 'managed'\n"},
    {PTX_HEAD ".global .attribute .u32 x;",
     "4:20: expected '(' behind '.attribute', found '.u32'\n"},
    {PTX_HEAD ".bogus x;\n"
              ".global .u32 y;",
     "4:1: expected a declaration or a directive, found '.bogus'\n"},
    {PTX_BODY(".reg .b32 %r<x>;"), "5:14: expected the number of names behind '<', found 'x'\n"},
    {PTX_BODY(".reg .b32 %r<99999999>;"),
     "5:14: expected at most 16777216 names, found 99999999\n"},
    {PTX_BODY(".reg .b32 %r<4;"), "5:15: expected '>' behind the number of names, found ';'\n"},
    {PTX_BODY(".reg .b32 %r<4>[2];"), "5:11: expected no array size for a range of names\n"},
    {PTX_BODY(".reg .b32 %r<4> = 1;"), "5:11: expected no initialiser for a range of names\n"},
    {PTX_BODY(".reg .b32 a; .reg .b64 a;"), "5:24: expected a new name, 'a' is declared twice\n"
                                            "5:11: note: declared here first\n"},
    {PTX_BODY(".reg .b32 %r<4>; .reg .b64 %r2;"),
     "5:28: expected a new name, '%r2' is declared twice\n"
     "5:11: note: declared here first\n"},
    {PTX_BODY(".shared .b8 s<70000>;"), "5:13: expected at most 65536 names, found 70000\n"},
    {PTX_BODY(".weak ret;"), "5:7: expected a state space such as '.shared', found 'ret'\n"},
};

static const Case function_cases[] = {
    {PTX_HEAD ".entry { ret; }", "4:8: expected the name of the kernel, found '{'\n"},
    {PTX_HEAD ".entry k( { ret; }", "4:11: expected '.param' or '.reg', found '{'\n"},
    {PTX_HEAD ".entry k(.param .u32 a .param .u32 b) { ret; }",
     "4:24: expected ',' or ')' behind the parameter, found '.param'\n"},
    {PTX_HEAD ".entry k(.global .u32 a) { ret; }",
     "4:10: expected '.param' or '.reg', found '.global'\n"},
    {PTX_HEAD ".entry k() ret;", "4:12: expected '{' or ';' behind the header, found 'ret'\n"},
    {PTX_HEAD ".entry k() {\n"
              "ret;",
     "5:5: expected '}' to close the body, found end of file\n"},
    {PTX_HEAD ".entry k() { ret; } }", "4:21: expected a declaration or a directive, found '}'\n"},
    {PTX_HEAD ".entry k() .maxntid { ret; }",
     "4:12: expected 1 to 3 arguments of '.maxntid', found 0\n"},
    {PTX_HEAD ".entry k() .maxntid 1, 2, 3, 4 { ret; }",
     "4:12: expected 1 to 3 arguments of '.maxntid', found 4\n"},
    {PTX_HEAD ".entry k() .noreturn 5 { ret; }",
     "4:12: expected 0 arguments of '.noreturn', found 1\n"},
    {PTX_HEAD ".entry k() .pragma \"x\" { ret; }",
     "4:24: expected ';' behind the directive, found '{'\n"},
    {PTX_HEAD ".entry k() .reg .u32 a; { ret; }",
     "4:12: expected '{' or ';' behind the header, found '.reg'\n"},
    {PTX_HEAD ".entry k() { ret; }\n"
              ".entry k() { ret; }",
     "5:8: expected a new name, 'k' is declared twice\n"
     "4:8: note: declared here first\n"},
    {PTX_HEAD ".global .u32 k;\n"
              ".entry k() { ret; }",
     "5:8: expected a new name, 'k' is declared twice\n"
     "4:14: note: declared here first\n"},
    {PTX_HEAD ".func (.param .u32 r f() { ret; }",
     "4:22: expected ',' or ')' behind the parameter, found 'f'\n"},
    {PTX_HEAD ".entry k(.param .u32 a) {\n"
              ".reg .u32 a;\n"
              "ret; }",
     "5:11: expected a new name, 'a' is declared twice\n"
     "4:22: note: declared here first\n"},
    {PTX_HEAD ".func f();\n"
              ".alias g, f;",
     "5:1: expected a declared function, found 'g'\n"},
    {PTX_HEAD ".alias g f;", "4:10: expected ',' behind the alias, found 'f'\n"},
};

static const Case statement_cases[] = {
    {PTX_BODY("add.s32 1 2;"), "5:11: expected ',' or ';' behind the operand, found '2'\n"},
    {PTX_BODY("ret\n"
              "ret;"),
     "6:1: expected a declared name, found 'ret'\n"},
    {PTX_BODY("@ bra L;"), "5:3: expected a declared name, found 'bra'\n"},
    {PTX_BODY("@5 ret;"), "5:2: expected a predicate behind '@', found '5'\n"},
    {PTX_BODY("@%p;"), "5:4: expected an instruction behind the guard, found ';'\n"},
    {PTX_BODY("mov.u32 {1, 2;"), "5:14: expected ',' or '}' in the vector, found ';'\n"},
    {PTX_BODY("ld.u32 x, [y;"), "5:13: expected ',' or ']' in the address, found ';'\n"},
    {PTX_BODY("ld.u32 x, [];"), "5:12: expected an operand, found ']'\n"},
    {PTX_BODY("ld.u32 x, [5+];"), "5:14: expected an operand, found ']'\n"},
    {PTX_BODY("mov.u32 x, (1 + 2;"), "5:18: expected ')' to close the expression, found ';'\n"},
    {PTX_BODY("mov.u32 x, 1 ? 2;"),
     "5:17: expected ':' between the two values of '?', found ';'\n"},
    {PTX_BODY("mov.u32 x, .y;"), "5:12: expected an operand, found '.y'\n"},
    {PTX_BODY("setp.eq.u32 p|1, 2, 3;"), "5:15: expected a register behind '|', found '1'\n"},
    {PTX_BODY("L: .branchtargets 5;"), "5:19: expected a label, found '5'\n"},
    {PTX_BODY(".branchtargets L;"),
     "5:1: expected a label and ':' before this directive, found '.branchtargets'\n"},
    {PTX_BODY("P: .callprototype (.param .u32 _);"),
     "5:34: expected '_' in the prototype, found ';'\n"},
    {PTX_BODY("5;"), "5:1: expected a statement, found '5'\n"},
    {PTX_BODY(".loc 1 2;"), "5:9: expected a column, found ';'\n"},
    {PTX_BODY(".loc 1 2 3, inlined 4"),
     "5:13: expected 'function_name' or 'inlined_at', found 'inlined'\n"},
    {PTX_BODY(".loc 1 2 99999999999"), "5:10: expected a column, found '99999999999'\n"},
    {PTX_BODY(".bogus 5;"), "5:1: expected a statement, found '.bogus'\n"},
    {PTX_BODY("} ret;"), "5:3: expected a declaration or a directive, found 'ret'\n"},
    {PTX_BODY("call (a, f;"), "5:11: expected ',' or ')' in the list, found ';'\n"},
    {PTX_HEAD ".section .debug_str { .b8 1",
     "4:21: expected '}' to close this section, found end of file\n"},
    {PTX_HEAD ".section debug { }",
     "4:10: expected the name of a section, such as '.debug_str', found 'debug'\n"},
    {PTX_HEAD ".file \"a.cu\"", "4:7: expected a file number, found '\"a.cu\"'\n"},
    {PTX_HEAD ".file 1 a.cu", "4:9: expected a file name in quotes, found 'a'\n"},
};

static const Case name_cases[] = {
    {PTX_BODY("mov.u32 %r1, 5;"), "5:9: expected a declared register, found '%r1'\n"},
    {PTX_BODY(".reg .b32 %r<4>;\n"
              "mov.u32 %r4, 5;"),
     "6:9: expected a register of '%r<4>', found '%r4'\n"},
    {PTX_BODY(".reg .b32 %r<4>;\n"
              "mov.u32 %r, 5;"),
     "6:9: expected a declared register, found '%r'\n"},
    {PTX_BODY(".reg .b32 %r<4>;\n"
              "mov.u32 %r01, 5;"),
     "6:9: expected a declared register, found '%r01'\n"},
    {PTX_BODY(".reg .b32 %r<4>;\n"
              "mov.u32 %r1, nothing;"),
     "6:14: expected a declared name, found 'nothing'\n"},
    {PTX_BODY("bra L;"), "5:5: expected a declared name, found 'L'\n"},
    {PTX_BODY("bra L;\n"
              "{ L: ret; }"),
     "5:5: expected a declared name, found 'L'\n"},
    {PTX_BODY("L: ret;\n"
              "L: ret;"),
     "6:1: expected a new name, 'L' is declared twice\n"
     "5:1: note: declared here first\n"},
    {PTX_BODY(".reg .b32 %r<4>;\n"
              "bra %r1;"),
     "6:5: expected a label as target of the branch\n"},
    {PTX_BODY(".reg .b32 %r<4>;\n"
              "@%r1 ret;"),
     "6:2: expected a register of type .pred as guard, found '%r1'\n"},
    {PTX_BODY("@%tid.x ret;"), "5:2: expected a register of type .pred as guard, found '%tid'\n"},
    {PTX_BODY("{ .reg .b32 a; }\n"
              "mov.u32 a, 5;"),
     "6:9: expected a declared name, found 'a'\n"},
    {PTX_BODY("call f;"), "5:6: expected a declared name, found 'f'\n"},
    {PTX_BODY("call (f);"), "5:7: expected a declared name, found 'f'\n"
                            "5:1: expected a function to call\n"},
    {PTX_HEAD ".func f(.param .u32 a);\n"
              ".entry k() { call f; }",
     "5:14: expected 1 argument in the call of 'f', found 0\n"},
    {PTX_HEAD ".func (.param .u32 r) f();\n"
              ".entry k() {\n"
              ".param .u32 a; call f, (a); }",
     "6:16: expected 0 arguments in the call of 'f', found 1\n"
     "6:16: expected 1 return value of 'f', found 0\n"},
    {PTX_BODY(".param .u32 a;\n"
              ".param .u32 a;"),
     "6:13: expected a new name, 'a' is declared twice\n"
     "5:13: note: declared here first\n"},
};

static void preambles_are_checked(void **state) {
  check_cases(*state, preamble_cases, sizeof preamble_cases / sizeof *preamble_cases);
}

static void tokens_are_checked(void **state) {
  check_cases(*state, token_cases, sizeof token_cases / sizeof *token_cases);
}

static void declarations_are_checked(void **state) {
  check_cases(*state, declaration_cases, sizeof declaration_cases / sizeof *declaration_cases);
}

static void functions_are_checked(void **state) {
  check_cases(*state, function_cases, sizeof function_cases / sizeof *function_cases);
}

static void statements_are_checked(void **state) {
  check_cases(*state, statement_cases, sizeof statement_cases / sizeof *statement_cases);
}

static void names_are_checked(void **state) {
  check_cases(*state, name_cases, sizeof name_cases / sizeof *name_cases);
}

// `text` many times between `before` and `after`: some message must contain `expected`.
static void check_flood(const char *before, const char *text, uint32_t times, const char *after,
                        const char *expected) {
  Arena arena;
  arena_init(&arena, NULL, 0);
  size_t length = strlen(text), size = strlen(before) + times * length + strlen(after);
  char *all = arena_alloc(&arena, size + 1, 1);
  strcpy(all, before);
  char *end = all + strlen(before);
  for (uint32_t i = 0; i < times; i++, end += length)
    memcpy(end, text, length);
  strcpy(end, after);
  const char *messages = ptx_messages(&arena, all, size);
  if (!strstr(messages, expected))
    fail_msg("expected '%s' in:\n%.2000s", expected, messages);
  arena_release(&arena);
}

#define BODY_HEAD PTX_HEAD ".entry k() {\n"

static void deep_nesting_meets_a_limit(void **state) {
  enum { MANY = 200000 };
  static const char expected[] = "at most 64 levels of nesting";
  (void)state;
  check_flood(BODY_HEAD "mov.u32 x, ", "(", MANY, ";}", expected);
  check_flood(BODY_HEAD "mov.u32 x, ", "-", MANY, ";}", expected);
  check_flood(BODY_HEAD "mov.u32 x, 1", "+1", MANY, ";}", expected);
  check_flood(BODY_HEAD "mov.u32 x, 1", "?1:1", MANY, ";}", expected);
  check_flood(BODY_HEAD "mov.u32 x, ", "{", MANY, ";}", expected);
  check_flood(BODY_HEAD "mov.u32 x, ", "[", MANY, ";}", expected);
  check_flood(BODY_HEAD "mov.u32 x, ", "a[", MANY, ";}", expected);
  check_flood(PTX_HEAD ".global .u32 x = ", "{", MANY, ";", expected);
  check_flood(PTX_HEAD ".global .u32 x", "[1]", MANY, ";", "at most 32 dimensions");
  check_flood(BODY_HEAD, "{", MANY, "}", "at most 4096 nested scopes");
}

static void many_errors_meet_a_limit(void **state) {
  enum { MANY = 200000 };
  (void)state;
  check_flood(BODY_HEAD, "5;", MANY, "}", "fewer than 100 errors");
  check_flood(PTX_HEAD, ".func ", MANY, "", "fewer than 100 errors");
  check_flood(PTX_HEAD, "\001 ", MANY, "", "found the byte 0x01");
  check_flood(BODY_HEAD, ".reg .b32 a;", MANY, "}", "declared twice");
  check_flood(BODY_HEAD, "{.reg .b32 %r<16000000>;}", 3, "}", "at most 16777216 registers");
}

static void zero_bytes_are_reported(void **state) {
  static const char text[] = PTX_HEAD "\0.global .u32 x;\0";
  assert_string_equal(ptx_messages(*state, text, sizeof text - 1),
                      "4:1: expected a token, found the byte 0x00\n"
                      "4:17: expected a token, found the byte 0x00\n");
}

static void unknown_directives_are_kept(void **state) {
  static const char text[] = PTX_HEAD ".entry k() .novel 5 { ret; }";
  assert_string_equal(ptx_messages(*state, text, strlen(text)),
                      "4:12: expected a known directive, found '.novel', which is kept\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(preambles_are_checked),      UNIT_TEST(tokens_are_checked),
      UNIT_TEST(declarations_are_checked),   UNIT_TEST(functions_are_checked),
      UNIT_TEST(statements_are_checked),     UNIT_TEST(names_are_checked),
      UNIT_TEST(deep_nesting_meets_a_limit), UNIT_TEST(many_errors_meet_a_limit),
      UNIT_TEST(zero_bytes_are_reported),    UNIT_TEST(unknown_directives_are_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
