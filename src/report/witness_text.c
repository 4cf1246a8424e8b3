// Executions as text: events by thread, then a line for each relation.
//     initial
//       e0  W x = 0
//     P0@cta 0,gpu 0
//       e2  W.weak x = 1                     line 5
//     rf    e4 -> e6, e0 -> e7
// Edges of the cycle, or at the ends of the missing order, are marked by `*`.
#include "report/text.h"

#include "report/relations.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_WIDTH = 32 }; // where the line numbers stand; longer labels push them to the right

static size_t event_width(const WitnessEvent *event) {
  return utf8_width(event->label, strlen(event->label));
}

static void print_event(const Report *report, const Witness *witness, uint32_t i, size_t indent) {
  Writer *writer = report->writer;
  const WitnessEvent *event = &witness->events[i];
  writer_repeat(writer, ' ', indent);
  writer_format(writer, i < 10 ? "e%u   " : "e%u  ", i);
  writer_escape_text(writer, ESCAPE_ONE_LINE, event->label);
  if (event->span.source) {
    size_t width = event_width(event);
    writer_repeat(writer, ' ', width < LABEL_WIDTH ? LABEL_WIDTH - width : 2);
    text_begin_paint(report, PAINT_FAINT);
    witness_print_place(writer, witness, event, ESCAPE_ONE_LINE);
    text_end_paint(report);
  }
  writer_text(writer, "\n");
}

static bool has_event(const Witness *witness, uint32_t thread) {
  for (uint32_t i = 0; i < witness->event_count; i++)
    if (witness->events[i].thread == thread)
      return true;
  return false;
}

static void print_thread(const Report *report, const Witness *witness, uint32_t thread,
                         const char *name, size_t indent) {
  if (!has_event(witness, thread))
    return;
  writer_repeat(report->writer, ' ', indent);
  text_begin_paint(report, PAINT_STRONG);
  writer_escape_text(report->writer, ESCAPE_ONE_LINE, name);
  text_end_paint(report);
  writer_text(report->writer, "\n");
  for (uint32_t i = 0; i < witness->event_count; i++)
    if (witness->events[i].thread == thread)
      print_event(report, witness, i, indent + 2);
}

static bool is_first_of_relation(const Witness *witness, uint32_t i) {
  for (uint32_t k = 0; k < i; k++)
    if (strcmp(witness->edges[k].relation, witness->edges[i].relation) == 0)
      return false;
  return true;
}

static void print_edge(const Report *report, const WitnessEdge *edge) {
  if (edge->highlighted)
    text_begin_paint(report, PAINT_ERROR);
  writer_format(report->writer, "e%u -> e%u%s", edge->from, edge->to, edge->highlighted ? "*" : "");
  if (edge->highlighted)
    text_end_paint(report);
}

// The order of events shows po already, except where it is part of the cycle.
static bool is_shown(const WitnessEdge *edge) {
  return edge->highlighted || strcmp(edge->relation, "po") != 0;
}

// All edges of one relation.
static void print_relation(const Report *report, const Witness *witness, const char *relation,
                           size_t indent) {
  Writer *writer = report->writer;
  size_t width = utf8_width(relation, strlen(relation));
  bool is_first = true;
  for (uint32_t i = 0; i < witness->edge_count; i++) {
    const WitnessEdge *edge = &witness->edges[i];
    if (strcmp(edge->relation, relation) != 0 || !is_shown(edge))
      continue;
    if (is_first) {
      writer_repeat(writer, ' ', indent);
      writer_escape_text(writer, ESCAPE_ONE_LINE, relation);
      writer_repeat(writer, ' ', width < 6 ? 6 - width : 1);
    } else {
      writer_text(writer, ", ");
    }
    print_edge(report, edge);
    is_first = false;
  }
  if (!is_first)
    writer_text(writer, "\n");
}

static void print_order(const Report *report, const Witness *witness, size_t indent) {
  Writer *writer = report->writer;
  if (witness->order_count == 0)
    return;
  writer_repeat(writer, ' ', indent);
  writer_text(writer, "one order of these accesses: ");
  for (uint32_t i = 0; i < witness->order_count; i++)
    writer_format(writer, i ? ", e%u" : "e%u", witness->order[i]);
  writer_text(writer, "\n");
}

void text_print_witness(const Report *report, const Witness *witness, size_t indent) {
  print_thread(report, witness, WITNESS_INITIAL, "initial", indent);
  for (uint32_t i = 0; i < witness->thread_count; i++)
    print_thread(report, witness, i, witness->thread_names[i], indent);
  for (uint32_t i = 0; i < witness->edge_count; i++)
    if (is_first_of_relation(witness, i))
      print_relation(report, witness, witness->edges[i].relation, indent);
  print_order(report, witness, indent);
  if (witness->explanation && !witness->axiom) {
    writer_repeat(report->writer, ' ', indent);
    writer_escape_text(report->writer, ESCAPE_ONE_LINE, witness->explanation);
    writer_text(report->writer, "\n");
  }
}
