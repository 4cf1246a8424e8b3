// libFuzzer target: any bytes as PTX with launch lines in its comments, run by the emulator under
// the race detector, within small limits. Wild addresses, endless loops and huge launches must end
// in findings or in a limit. Start from fuzz/corpus/run.
#include "warpsan/warpsan.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  WarpsanSession *session;
  WarpsanResults *results;
  if (warpsan_session_new(&session) != WARPSAN_OK)
    abort();
  if (warpsan_results_new(session, &results) != WARPSAN_OK)
    abort();
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.memory_bytes = (size_t)64 << 20;
  WarpsanRunOptions run = WARPSAN_RUN_OPTIONS_INIT;
  run.max_instructions = 20000;
  WarpsanStatus status =
      warpsan_run_text(session, "input.ptx", (const char *)data, size, &options, &run, results);
  if (status == WARPSAN_BAD_ARGUMENT)
    abort();
  warpsan_results_free(results);
  warpsan_session_free(session);
  return 0;
}
