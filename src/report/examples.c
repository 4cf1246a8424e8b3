#include "report/report.h"

#include <string.h>

typedef struct Example {
  const char *rule;
  const char *bad;
  const char *good;
} Example;

static const Example examples[] = {
#define EXAMPLE(rule, bad, good) {rule, bad, good},
#include "report/examples.def"
#undef EXAMPLE
};

static const Example *find_example(const char *rule) {
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
    if (strcmp(examples[i].rule, rule) == 0)
      return &examples[i];
  return NULL;
}

const char *report_bad_example(const char *rule) {
  const Example *example = find_example(rule);
  return example ? example->bad : NULL;
}

const char *report_good_example(const char *rule) {
  const Example *example = find_example(rule);
  return example ? example->good : NULL;
}
