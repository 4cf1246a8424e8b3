// A C program that knows nothing but the public header and the shared library: it checks a test,
// and reads every part of the results.
#include <warpsan/warpsan.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                     \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static const char message_passing[] = "PTX MP\n"
                                      "{ x=0; y=0; }\n"
                                      " P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;\n"
                                      " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y ;\n"
                                      " st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x ;\n"
                                      "exists (P1:r0 == 1 /\\ P1:r1 == 0)\n";

// Four threads write one word, each its own number.
static const char kernel[] = "// final: x[0] < 4\n"
                             ".version 8.0\n"
                             ".target sm_90\n"
                             ".address_size 64\n"
                             ".visible .entry put(.param .u64 x)\n"
                             "{\n"
                             "  .reg .b64 %rd<2>;\n"
                             "  .reg .b32 %r<2>;\n"
                             "  ld.param.u64 %rd1, [x];\n"
                             "  mov.u32 %r1, %tid.x;\n"
                             "  st.relaxed.gpu.global.u32 [%rd1], %r1;\n"
                             "  ret;\n"
                             "}\n";

typedef struct Text {
  char bytes[65536];
  size_t length;
} Text;

static int append(void *context, const char *bytes, size_t length) {
  Text *text = context;
  if (length >= sizeof text->bytes - text->length)
    return 1;
  memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = '\0';
  return 0;
}

static int refuse(void *context, const char *bytes, size_t length) {
  (void)context;
  (void)bytes;
  (void)length;
  return 1;
}

static WarpsanStatus check(WarpsanSession *session, const char *text, const WarpsanOptions *options,
                           WarpsanResults *results) {
  return warpsan_check_text(session, "mp.litmus", text, strlen(text), options, results);
}

static void read_states(const WarpsanResult *result) {
  EXPECT(warpsan_result_column_count(result) == 2);
  EXPECT(strcmp(warpsan_result_column_name(result, 0), "P1:r0") == 0);
  EXPECT(warpsan_result_state_count(result) == 4);
  uint64_t executions = 0;
  for (size_t i = 0; i < warpsan_result_state_count(result); i++) {
    bool is_stale = warpsan_result_state_value(result, i, 0) == 1 &&
                    warpsan_result_state_value(result, i, 1) == 0;
    EXPECT(warpsan_result_state_satisfies(result, i) == is_stale);
    executions += warpsan_result_state_executions(result, i);
  }
  EXPECT(executions == warpsan_result_executions(result));
}

static void read_witness(const WarpsanWitness *witness) {
  EXPECT(witness != NULL);
  EXPECT(warpsan_witness_axiom(witness) == NULL);
  EXPECT(warpsan_witness_thread_count(witness) == 2);
  size_t event_count = warpsan_witness_event_count(witness);
  EXPECT(event_count >= 4);
  for (size_t i = 0; i < event_count; i++) {
    WarpsanEvent event = warpsan_witness_event(witness, i);
    EXPECT(event.label[0] != '\0');
    EXPECT(event.thread == WARPSAN_INITIAL || event.place.line >= 4);
  }
  for (size_t i = 0; i < warpsan_witness_edge_count(witness); i++) {
    WarpsanEdge edge = warpsan_witness_edge(witness, i);
    EXPECT(edge.from < event_count && edge.to < event_count && edge.relation[0] != '\0');
  }
}

static void an_allowed_outcome_is_read(WarpsanSession *session, WarpsanResults *results) {
  EXPECT(check(session, message_passing, NULL, results) == WARPSAN_OK);
  EXPECT(warpsan_results_count(results) == 1);
  const WarpsanResult *result = warpsan_results_get(results, 0);
  EXPECT(warpsan_result_verdict(result) == WARPSAN_VERDICT_ALLOWED);
  EXPECT(warpsan_result_outcome(result) == WARPSAN_OUTCOME_CLEAN);
  EXPECT(strcmp(warpsan_result_input(result), "mp.litmus") == 0);
  EXPECT(strcmp(warpsan_result_model(result), "ptx") == 0);
  EXPECT(warpsan_result_incomplete(result) == NULL);
  EXPECT(warpsan_result_executions(result) == 4 && warpsan_result_duplicates(result) == 0);
  read_states(result);
  read_witness(warpsan_result_witness(result));
  warpsan_results_clear(results);
  EXPECT(warpsan_results_count(results) == 0);
}

static void each_model_gives_a_result(WarpsanSession *session, WarpsanResults *results) {
  const char *models[] = {"sc", "tso", "cuda"};
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.models = models;
  options.model_count = 3;
  options.properties = WARPSAN_PROPERTY_PROGRAM;
  options.omit_witness = true;
  EXPECT(check(session, message_passing, &options, results) == WARPSAN_OK);
  EXPECT(warpsan_results_count(results) == 3);
  for (size_t i = 0; i < 3; i++) {
    const WarpsanResult *result = warpsan_results_get(results, i);
    EXPECT(strcmp(warpsan_result_model(result), models[i]) == 0);
    EXPECT(warpsan_result_verdict(result) ==
           (i < 2 ? WARPSAN_VERDICT_FORBIDDEN : WARPSAN_VERDICT_ALLOWED));
  }
  warpsan_results_clear(results);
}

static void bad_input_has_a_place(WarpsanSession *session, WarpsanResults *results) {
  EXPECT(check(session, "PTX x\n{ }\n nonsense ;\n", NULL, results) == WARPSAN_BAD_INPUT);
  const WarpsanResult *result = warpsan_results_get(results, 0);
  EXPECT(warpsan_result_outcome(result) == WARPSAN_OUTCOME_BAD_INPUT);
  EXPECT(warpsan_result_model(result) == NULL);
  const WarpsanFinding *finding = warpsan_result_finding(result, 0);
  EXPECT(strcmp(warpsan_finding_rule(finding), "syntax") == 0);
  EXPECT(warpsan_finding_severity(finding) == WARPSAN_SEVERITY_ERROR);
  WarpsanPlace place = warpsan_finding_place(finding);
  EXPECT(strcmp(place.file, "mp.litmus") == 0 && place.line == 3 && place.column == 2);
  warpsan_results_clear(results);
  EXPECT(warpsan_check_file(session, "/no/such/file", NULL, results) == WARPSAN_BAD_INPUT);
  result = warpsan_results_get(results, 0);
  EXPECT(warpsan_finding_place(warpsan_result_finding(result, 0)).file == NULL);
  warpsan_results_clear(results);
  EXPECT(warpsan_load_model(session, "nonsense", false, results) == WARPSAN_BAD_INPUT);
  EXPECT(warpsan_results_count(results) == 1);
  warpsan_results_clear(results);
}

static void kernels_have_launches(WarpsanSession *session, WarpsanResults *results) {
  const char *launches[] = {"kernel=put grid=1 block=4 args=x:u32[1]=0"};
  const char *finals[] = {"x[0] != 2"};
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  EXPECT(warpsan_check_text(session, "put.ptx", kernel, strlen(kernel), &options, results) ==
         WARPSAN_BAD_INPUT);
  warpsan_results_clear(results);
  options.launches = launches;
  options.launch_count = 1;
  EXPECT(warpsan_check_text(session, "put.ptx", kernel, strlen(kernel), &options, results) ==
         WARPSAN_OK);
  const WarpsanResult *result = warpsan_results_get(results, 0);
  EXPECT(warpsan_result_outcome(result) == WARPSAN_OUTCOME_CLEAN);
  EXPECT(warpsan_result_verdict(result) == WARPSAN_VERDICT_NONE);
  EXPECT(strcmp(warpsan_result_test(result), "put") == 0);
  EXPECT(strcmp(warpsan_result_model(result), "ptx") == 0);
  warpsan_results_clear(results);
  options.finals = finals;
  options.final_count = 1;
  EXPECT(warpsan_check_text(session, "put.ptx", kernel, strlen(kernel), &options, results) ==
         WARPSAN_OK);
  result = warpsan_results_get(results, 0);
  EXPECT(warpsan_result_outcome(result) == WARPSAN_OUTCOME_FINDINGS);
  EXPECT(strcmp(warpsan_finding_place(warpsan_result_finding(result, 0)).file, "--final") == 0);
  warpsan_results_clear(results);
  options.litmus_only = true;
  EXPECT(warpsan_check_text(session, "put.ptx", kernel, strlen(kernel), &options, results) ==
         WARPSAN_BAD_INPUT);
  warpsan_results_clear(results);
}

// Takes the buffer `x`, of four numbers.
static void take_buffer(void *context, const char *name, const void *bytes, size_t length) {
  unsigned *numbers = context;
  EXPECT(strcmp(name, "x") == 0 && length == 4 * sizeof *numbers);
  memcpy(numbers, bytes, length);
}

static void kernels_are_run(WarpsanSession *session, WarpsanResults *results) {
  static const char text[] = ".version 8.3\n.target sm_90\n.address_size 64\n"
                             ".visible .entry k(.param .u64 x) {\n"
                             "  .reg .b32 %r<3>;\n  .reg .b64 %rd<4>;\n"
                             "  ld.param.u64 %rd1, [x];\n  mov.u32 %r1, %tid.x;\n"
                             "  mul.wide.u32 %rd2, %r1, 4;\n  add.u64 %rd3, %rd1, %rd2;\n"
                             "  st.global.u32 [%rd3], %r1;\n  ret;\n}\n";
  const char *launch = "kernel=k grid=1 block=4 args=x:u32[4]=9";
  unsigned numbers[4] = {9, 9, 9, 9};
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  WarpsanRunOptions run = WARPSAN_RUN_OPTIONS_INIT;
  options.launches = &launch;
  options.launch_count = 1;
  run.runs = 2;
  run.buffer = take_buffer;
  run.buffer_context = numbers;
  EXPECT(warpsan_run_text(session, "k.ptx", text, strlen(text), &options, &run, results) ==
         WARPSAN_OK);
  const WarpsanResult *result = warpsan_results_get(results, 0);
  EXPECT(warpsan_result_outcome(result) == WARPSAN_OUTCOME_CLEAN);
  EXPECT(warpsan_result_executions(result) == 2);
  EXPECT(warpsan_result_accesses(result) == 8);
  EXPECT(warpsan_result_instructions(result) >= 2 * 4 * 6);
  for (unsigned i = 0; i < 4; i++)
    EXPECT(numbers[i] == i);
  run.size = 1;
  EXPECT(warpsan_run_text(session, "k.ptx", text, strlen(text), &options, &run, results) ==
         WARPSAN_BAD_ARGUMENT);
  warpsan_results_clear(results);
}

static void bad_arguments_are_refused(WarpsanSession *session, WarpsanResults *results) {
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.size = sizeof options + 1;
  EXPECT(check(session, message_passing, &options, results) == WARPSAN_BAD_ARGUMENT);
  options = (WarpsanOptions)WARPSAN_OPTIONS_INIT;
  options.properties = 8;
  EXPECT(check(session, message_passing, &options, results) == WARPSAN_BAD_ARGUMENT);
  options = (WarpsanOptions)WARPSAN_OPTIONS_INIT;
  options.timeout_seconds = -1;
  EXPECT(check(session, message_passing, &options, results) == WARPSAN_BAD_ARGUMENT);
  options = (WarpsanOptions)WARPSAN_OPTIONS_INIT;
  options.level = (WarpsanLevel)7;
  EXPECT(check(session, message_passing, &options, results) == WARPSAN_BAD_ARGUMENT);
  EXPECT(warpsan_print(session, results, (WarpsanFormat)99, NULL, append, NULL) ==
         WARPSAN_BAD_ARGUMENT);
  EXPECT(warpsan_print_outcomes(session, results, WARPSAN_FORMAT_HTML, NULL, append, NULL) ==
         WARPSAN_BAD_ARGUMENT);
  EXPECT(warpsan_results_count(results) == 0);
}

static void results_are_printed(WarpsanSession *session, WarpsanResults *results) {
  static Text text;
  EXPECT(check(session, message_passing, NULL, results) == WARPSAN_OK);
  for (int format = WARPSAN_FORMAT_TEXT; format <= WARPSAN_FORMAT_DOT; format++) {
    text.length = 0;
    EXPECT(warpsan_print(session, results, (WarpsanFormat)format, NULL, append, &text) ==
           WARPSAN_OK);
    EXPECT(text.length > 100);
  }
  EXPECT(warpsan_print(session, results, WARPSAN_FORMAT_TEXT, NULL, refuse, NULL) ==
         WARPSAN_WRITE_FAILED);
  warpsan_results_clear(results);
}

static void models_and_rules_are_listed(void) {
  EXPECT(strcmp(warpsan_version(), WARPSAN_VERSION) == 0);
  EXPECT(warpsan_model_count() >= 5);
  for (size_t i = 0; i < warpsan_model_count(); i++)
    EXPECT(strlen(warpsan_model_text(i)) > 100 && warpsan_model_name(i)[0] != '\0');
  for (size_t i = 0; i < warpsan_rule_count(); i++)
    EXPECT(warpsan_rule_id(i)[0] != '\0' && warpsan_rule_meaning(i)[0] != '\0');
  // Each root cause of a data race has its own remedy.
  for (size_t i = 0; i < warpsan_rule_count(); i++)
    EXPECT(!warpsan_rule_parent(i) || warpsan_rule_remedy(i));
  for (int status = WARPSAN_OK; status <= WARPSAN_STOPPED; status++)
    EXPECT(warpsan_status_text((WarpsanStatus)status)[0] != '\0');
}

int main(void) {
  WarpsanSession *session;
  WarpsanResults *results;
  EXPECT(warpsan_session_new(&session) == WARPSAN_OK);
  EXPECT(warpsan_results_new(session, &results) == WARPSAN_OK);
  an_allowed_outcome_is_read(session, results);
  each_model_gives_a_result(session, results);
  bad_input_has_a_place(session, results);
  kernels_have_launches(session, results);
  kernels_are_run(session, results);
  bad_arguments_are_refused(session, results);
  results_are_printed(session, results);
  models_and_rules_are_listed();
  warpsan_results_free(results);
  warpsan_session_free(session);
  warpsan_results_free(NULL);
  warpsan_session_free(NULL);
  return 0;
}
