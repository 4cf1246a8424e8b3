// Machine descriptions: what they mean, and exactly what is said about wrong ones.
#include "ptx_unit.h"

#include "ir/machine.h"

typedef struct Case {
  const char *text, *messages; // "LINE:COLUMN: message\n"
} Case;

#define STATEMENT                                                                                  \
  "'devices', 'peer-native-atomics', 'host-native-atomics', 'concurrent-managed-access' or "       \
  "'pageable-memory-access'"
#define OPERATIONS "'yes', 'no' or operations (add, and, or, xor, min, max, inc, dec, exch, cas)"

static const Case wrong[] = {
    {"", "1:1: expected 'devices N', found the end of the file\n"},
    {"# nothing\n", "2:1: expected 'devices N', found the end of the file\n"},
    {"gpus 2\n", "1:1: expected " STATEMENT ", found 'gpus'\n"},
    {"devices\n", "1:8: expected a number of devices from 1 to 16, found the end of the line\n"},
    {"devices 0\n", "1:9: expected a number of devices from 1 to 16, found '0'\n"},
    {"devices 17\n", "1:9: expected a number of devices from 1 to 16, found '17'\n"},
    {"devices 4294967297\n",
     "1:9: expected a number of devices from 1 to 16, found '4294967297'\n"},
    {"devices two\n", "1:9: expected a number of devices from 1 to 16, found 'two'\n"},
    {"devices 2 3\n", "1:11: expected the end of the line, found '3'\n"},
    {"devices 2\ndevices 2\n", "2:1: expected 'devices' once, found it again\n"},
    {"host-native-atomics all yes\n",
     "1:1: expected 'devices' before anything else, found 'host-native-atomics'\n"},
    {"devices 2\nhost-native-atomics\n",
     "2:20: expected 'all' or a device from 0 to 1, found the end of the line\n"},
    {"devices 2\nhost-native-atomics 2 yes\n",
     "2:21: expected 'all' or a device from 0 to 1, found '2'\n"},
    {"devices 1\nhost-native-atomics 1 yes\n", "2:21: expected 'all' or device 0, found '1'\n"},
    {"devices 1\nhost-native-atomics 0\n",
     "2:22: expected " OPERATIONS ", found the end of the line\n"},
    {"devices 1\nhost-native-atomics 0 maybe\n", "2:23: expected " OPERATIONS ", found 'maybe'\n"},
    {"devices 1\nhost-native-atomics 0 add,swap\n",
     "2:27: expected " OPERATIONS ", found 'swap'\n"},
    {"devices 1\nhost-native-atomics 0 add,\n",
     "2:27: expected " OPERATIONS ", found the end of the line\n"},
    {"devices 2\npeer-native-atomics 0 no\n",
     "2:23: expected 'all' or a device from 0 to 1, found 'no'\n"},
    {"devices 2\npeer-native-atomics 1 1 no\n",
     "2:21: expected two devices, found device 1 twice\n"},
    {"devices 2\npeer-native-atomics 0 1 no no\n",
     "2:28: expected the end of the line, found 'no'\n"},
    {"devices 1\nconcurrent-managed-access 0 add\n", "2:29: expected 'yes' or 'no', found 'add'\n"},
    {"devices 1\npageable-memory-access yes\n", "2:24: expected 'all' or device 0, found 'yes'\n"},
    {"devices 1\n\x01\n", "2:1: expected " STATEMENT ", found the byte 0x01\n"},
    {"devices 1\nabcdefghijabcdefghijabcdefghijabcdefghijabcdefghij\n",
     "2:1: expected " STATEMENT ", found 'abcdefghijabcdefghijabcdefghijabcdefghij...'\n"},
    {"devices none\ngpus\n", // reading goes on
     "1:9: expected a number of devices from 1 to 16, found 'none'\n"
     "2:1: expected " STATEMENT ", found 'gpus'\n"},
};

static void test_wrong_texts(void **state) {
  Arena *arena = *state;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    DiagList diags;
    diag_list_init(&diags, arena);
    assert_null(
        machine_parse(ptx_source(arena, wrong[i].text, strlen(wrong[i].text)), arena, &diags));
    assert_string_equal(ptx_diag_text(arena, &diags), wrong[i].messages);
  }
}

static void test_most_errors(void **state) {
  Arena *arena = *state;
  DiagList diags;
  diag_list_init(&diags, arena);
  char text[200];
  memset(text, '\n', sizeof text);
  for (size_t i = 0; i < sizeof text; i += 2)
    text[i] = 'x';
  assert_null(machine_parse(ptx_source(arena, text, sizeof text), arena, &diags));
  assert_int_equal(diags.count, 20);
}

static const Machine *read_machine(Arena *arena, const char *text) {
  DiagList diags;
  diag_list_init(&diags, arena);
  const Machine *machine = machine_parse(ptx_source(arena, text, strlen(text)), arena, &diags);
  assert_non_null(machine);
  return machine;
}

static bool is_atomic(const Machine *machine, MemoryHome home, uint32_t gpu,
                      MachineOperation operation) {
  Placement place = {.gpu = gpu};
  return machine_makes_atomic(machine, home, &place, operation);
}

// The list of the libcu++ page, "Atomicity" (spec E.5).
static void test_statements(void **state) {
  const Machine *machine = read_machine(*state, "devices 3   # comment\r\n"
                                                "\n"
                                                "peer-native-atomics all all no\n"
                                                "\tpeer-native-atomics 0 1 add,cas\n"
                                                "host-native-atomics all no\n"
                                                "host-native-atomics 2 yes\n"
                                                "concurrent-managed-access 1 no\n"
                                                "pageable-memory-access all no");
  MemoryHome first = {MEMORY_OF_DEVICE, 0}, second = {MEMORY_OF_DEVICE, 1};
  MemoryHome pinned = {MEMORY_PINNED, 0}, managed = {MEMORY_MANAGED, 0};
  MemoryHome pageable = {MEMORY_SYSTEM, 0};
  Placement host = {.gpu = UINT32_MAX, .is_host = true};

  assert_int_equal(machine->device_count, 3);
  // A device's own memory; another's by what the link does.
  assert_true(is_atomic(machine, first, 0, MACHINE_MAX));
  assert_true(is_atomic(machine, second, 0, MACHINE_ADD));
  assert_false(is_atomic(machine, second, 0, MACHINE_MAX));
  assert_true(is_atomic(machine, second, 0, MACHINE_LOAD_OR_STORE));
  assert_false(is_atomic(machine, first, 1, MACHINE_ADD));
  assert_false(is_atomic(machine, first, 1, MACHINE_LOAD_OR_STORE));
  assert_false(machine_makes_atomic(machine, first, &host, MACHINE_LOAD_OR_STORE));
  // Mapped host memory: loads and stores always.
  assert_false(is_atomic(machine, pinned, 1, MACHINE_EXCH));
  assert_true(is_atomic(machine, pinned, 1, MACHINE_LOAD_OR_STORE));
  assert_true(is_atomic(machine, pinned, 2, MACHINE_EXCH));
  assert_true(machine_makes_atomic(machine, pinned, &host, MACHINE_ADD));
  // Managed and pageable memory: everything or nothing.
  assert_true(is_atomic(machine, managed, 0, MACHINE_ADD));
  assert_false(is_atomic(machine, managed, 1, MACHINE_LOAD_OR_STORE));
  assert_false(is_atomic(machine, pageable, 0, MACHINE_LOAD_OR_STORE));
  assert_false(machine_lets_host_touch(machine, managed, 1));
  assert_true(machine_lets_host_touch(machine, managed, 0));
  assert_true(machine_lets_host_touch(machine, pinned, 1));
}

static void test_no_description(void **state) {
  (void)state;
  Placement host = {.gpu = UINT32_MAX, .is_host = true};
  MemoryHome home = {MEMORY_OF_DEVICE, 0};
  assert_true(machine_makes_atomic(NULL, home, &host, MACHINE_MAX));
  assert_true(is_atomic(NULL, home, 7, MACHINE_MAX));
  assert_true(machine_lets_host_touch(NULL, (MemoryHome){MEMORY_MANAGED, 0}, 3));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(test_wrong_texts),
      UNIT_TEST(test_most_errors),
      UNIT_TEST(test_statements),
      UNIT_TEST(test_no_description),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
