// JSON values in pieces; json.c has the format of results, other files build theirs with these.
#ifndef WARPSAN_REPORT_JSON_H
#define WARPSAN_REPORT_JSON_H

#include "base/result.h"
#include "report/writer.h"

// A quoted string, `null` for NULL.
void json_string(Writer *writer, const char *text);
// `"key": ` and the value, with `, ` in front unless it is the first member of its object.
void json_key(Writer *writer, bool is_first, const char *key);
void json_string_member(Writer *writer, bool is_first, const char *key, const char *text);
void json_number_member(Writer *writer, bool is_first, const char *key, uint64_t number);
void json_bool_member(Writer *writer, bool is_first, const char *key, bool value);

// `"P1:r0": 1, "x": 2`: the members of a final state. A column named like one of the members that
// `count` executions add is written in brackets, as litmus tests may write locations.
void json_state_members(Writer *writer, const Result *result, const int64_t *values);

#endif
