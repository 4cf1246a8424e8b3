// The witnesses of all results as one Graphviz digraph: a cluster for each thread, the cycle or the
// missing order drawn bold.
#include "report/report.h"

#include "report/relations.h"

#include <string.h>

static void print_quoted(Writer *writer, const char *text) {
  writer_char(writer, '"');
  writer_escape_text(writer, ESCAPE_DOT, text);
  writer_char(writer, '"');
}

// Names are unique in the digraph because every witness has a number of its own.
static void print_node(Writer *writer, const Witness *witness, uint32_t number, uint32_t i) {
  const WitnessEvent *event = &witness->events[i];
  writer_format(writer, "      w%u_e%u [label=\"", number, i);
  writer_escape_text(writer, ESCAPE_DOT, event->label);
  if (event->span.source) {
    writer_text(writer, "\\n");
    witness_print_place(writer, witness, event, ESCAPE_DOT);
  }
  writer_text(writer, "\"];\n");
}

static void print_thread(Writer *writer, const Witness *witness, uint32_t number, uint32_t thread) {
  writer_format(writer, "    subgraph cluster_w%u_t%u {\n      label=", number, thread);
  print_quoted(writer, witness->thread_names[thread]);
  writer_text(writer, "; style=rounded; color=gray;\n");
  for (uint32_t i = 0; i < witness->event_count; i++)
    if (witness->events[i].thread == thread)
      print_node(writer, witness, number, i);
  writer_text(writer, "    }\n");
}

// Only program order decides which event stands above which. Other edges get their
// labels after everything has its place (xlabel): Graphviz 2.43 fails on labels of edges that do
// not decide.
static void print_edge(Writer *writer, const WitnessEdge *edge, uint32_t number) {
  bool decides = strcmp(edge->relation, "po") == 0;
  writer_format(writer, "    w%u_e%u -> w%u_e%u [%s=", number, edge->from, number, edge->to,
                decides ? "label" : "xlabel");
  print_quoted(writer, edge->relation);
  const char *color = relation_color(edge->relation);
  writer_format(writer, ", color=\"%s\", fontcolor=\"%s\"", color, color);
  writer_text(writer, edge->highlighted ? ", penwidth=3" : "");
  writer_text(writer, decides ? "];\n" : ", constraint=false];\n");
}

static void print_title(Writer *writer, const Result *result, const Witness *witness) {
  writer_text(writer, "    label=\"");
  writer_escape_text(writer, ESCAPE_DOT, result->input);
  writer_text(writer, ": ");
  writer_escape_text(writer, ESCAPE_DOT, result->model);
  if (witness->title) {
    writer_text(writer, ": ");
    writer_escape_text(writer, ESCAPE_DOT, witness->title);
  }
  if (witness->axiom) {
    writer_text(writer, "\\nforbidden by ");
    writer_escape_text(writer, ESCAPE_DOT, witness->axiom);
  }
  for (uint32_t i = 0; i < witness->order_count; i++)
    writer_format(writer, i ? ", e%u" : "\\none order of these accesses: e%u", witness->order[i]);
  if (witness->explanation) {
    writer_text(writer, "\\n");
    writer_escape_text(writer, ESCAPE_DOT, witness->explanation);
  }
  writer_text(writer, "\";\n");
}

static void print_witness(Writer *writer, const Result *result, const Witness *witness,
                          uint32_t number) {
  writer_format(writer, "  subgraph cluster_w%u {\n", number);
  print_title(writer, result, witness);
  for (uint32_t i = 0; i < witness->event_count; i++)
    if (witness->events[i].thread == WITNESS_INITIAL)
      print_node(writer, witness, number, i);
  for (uint32_t i = 0; i < witness->thread_count; i++)
    print_thread(writer, witness, number, i);
  for (uint32_t i = 0; i < witness->edge_count; i++)
    print_edge(writer, &witness->edges[i], number);
  writer_text(writer, "  }\n");
}

void report_dot(const Report *report) {
  Writer *writer = report->writer;
  writer_text(writer, "digraph warpsan {\n"
                      "  node [shape=box, fontname=\"monospace\", fontsize=11];\n"
                      "  edge [fontname=\"sans-serif\", fontsize=10];\n");
  uint32_t number = 0;
  for (uint32_t i = 0; i < report->result_count; i++) {
    const Result *result = report->results[i];
    if (result->witness)
      print_witness(writer, result, result->witness, number++);
    for (uint32_t k = 0; k < result->findings.count; k++)
      if (result->findings.items[k].witness && result->findings.items[k].witness != result->witness)
        print_witness(writer, result, result->findings.items[k].witness, number++);
  }
  writer_text(writer, "}\n");
}
