// The public header in C++: it compiles, links, and its initialisers work.
#include <warpsan/warpsan.h>

#include <cstdio>
#include <memory>
#include <string>

namespace {

struct SessionDeleter {
  void operator()(WarpsanSession *session) const { warpsan_session_free(session); }
};

struct ResultsDeleter {
  void operator()(WarpsanResults *results) const { warpsan_results_free(results); }
};

const std::string store_buffering = "PTX SB\n"
                                    "{ x=0; y=0; }\n"
                                    " P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;\n"
                                    " st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1  ;\n"
                                    " ld.relaxed.gpu r0, y | ld.relaxed.gpu r1, x ;\n"
                                    "exists (P0:r0 == 0 /\\ P1:r1 == 0)\n";

int append(void *context, const char *bytes, std::size_t length) {
  static_cast<std::string *>(context)->append(bytes, length);
  return 0;
}

} // namespace

int main() {
  WarpsanSession *raw_session = nullptr;
  WarpsanResults *raw_results = nullptr;
  if (warpsan_session_new(&raw_session) != WARPSAN_OK)
    return 1;
  std::unique_ptr<WarpsanSession, SessionDeleter> session(raw_session);
  if (warpsan_results_new(session.get(), &raw_results) != WARPSAN_OK)
    return 1;
  std::unique_ptr<WarpsanResults, ResultsDeleter> results(raw_results);

  const char *models[] = {"sc", "tso"};
  WarpsanOptions options = WARPSAN_OPTIONS_INIT;
  options.models = models;
  options.model_count = 2;
  if (warpsan_check_text(session.get(), "sb.litmus", store_buffering.data(), store_buffering.size(),
                         &options, results.get()) != WARPSAN_OK)
    return 1;
  WarpsanPrintOptions print = WARPSAN_PRINT_OPTIONS_INIT;
  std::string text;
  if (warpsan_print(session.get(), results.get(), WARPSAN_FORMAT_TEXT, &print, append, &text) !=
      WARPSAN_OK)
    return 1;
  bool is_right = text.find("sb.litmus: sc: forbidden") != std::string::npos &&
                  text.find("sb.litmus: tso: allowed") != std::string::npos;
  if (!is_right)
    std::fputs(text.c_str(), stderr);
  return is_right ? 0 : 1;
}
