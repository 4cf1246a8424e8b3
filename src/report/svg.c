#include "report/svg.h"

#include "report/relations.h"

#include <stdlib.h>
#include <string.h>

enum {
  MARGIN = 16,
  HEADER_HEIGHT = 34, // of a column
  BOX_HEIGHT = 38,
  ROW_HEIGHT = 74,
  COLUMN_GAP = 110, // room for the edges between two columns
  SMALLEST_BOX = 120,
  CHARACTER_WIDTH = 8, // of the labels' font, rounded up
  EDGE_SPREAD = 7,     // between edges that leave one box on one side
};

// Pixels; y grows downwards.
typedef struct Point {
  int x, y;
} Point;

typedef struct Box {
  int x, y, width;
  uint32_t column;
  int left_edges, right_edges; // drawn so far on each side
} Box;

typedef struct Column {
  const char *name;
  int x, y, width; // y of its first event
  uint32_t event_count;
} Column;

// Column 0 is for initial writes, column i + 1 for thread i; columns without events have no width.
typedef struct Drawing {
  const Witness *witness;
  Writer *writer;
  Box *boxes; // of each event
  Column *columns;
  uint32_t column_count;
  int width, height;
} Drawing;

static uint32_t event_column(const WitnessEvent *event) {
  return event->thread == WITNESS_INITIAL ? 0 : event->thread + 1;
}

static int label_width(const char *label) {
  return (int)utf8_width(label, strlen(label)) * CHARACTER_WIDTH + 16;
}

static int larger(int a, int b) {
  return a > b ? a : b;
}

// The row of each event is its number within its column, in the order of the witness.
static void measure_columns(Drawing *drawing) {
  for (uint32_t i = 0; i < drawing->witness->event_count; i++) {
    const WitnessEvent *event = &drawing->witness->events[i];
    Column *column = &drawing->columns[event_column(event)];
    drawing->boxes[i].column = event_column(event);
    drawing->boxes[i].y = (int)column->event_count * ROW_HEIGHT;
    column->event_count++;
    column->width = larger(column->width, larger(SMALLEST_BOX, label_width(event->label)));
  }
}

// Every second column stands half a row lower: an edge to the next column but one then passes
// between the boxes of the column that it crosses.
static void place_columns(Drawing *drawing) {
  int x = MARGIN, y = MARGIN + HEADER_HEIGHT;
  bool is_lower = false;
  for (uint32_t i = 0; i < drawing->column_count; i++) {
    Column *column = &drawing->columns[i];
    if (column->event_count == 0)
      continue;
    column->width = larger(column->width, label_width(column->name));
    column->x = x;
    column->y = is_lower ? y + ROW_HEIGHT / 2 : y;
    x += column->width + COLUMN_GAP;
    is_lower = !is_lower;
  }
  drawing->width = x - COLUMN_GAP / 3;
}

static void place_boxes(Drawing *drawing) {
  for (uint32_t i = 0; i < drawing->witness->event_count; i++) {
    Box *box = &drawing->boxes[i];
    const Column *column = &drawing->columns[box->column];
    box->x = column->x;
    box->y += column->y;
    box->width = column->width;
    drawing->height = larger(drawing->height, box->y + BOX_HEIGHT + MARGIN);
  }
}

static Drawing make_drawing(const Report *report, const Witness *witness) {
  Drawing drawing = {.witness = witness, .writer = report->writer};
  drawing.boxes = ARENA_ARRAY(report->scratch, Box, witness->event_count);
  drawing.column_count = witness->thread_count + 1;
  drawing.columns = ARENA_ARRAY(report->scratch, Column, drawing.column_count);
  drawing.columns[0].name = "initially";
  for (uint32_t i = 0; i < witness->thread_count; i++)
    drawing.columns[i + 1].name = witness->thread_names[i];
  measure_columns(&drawing);
  place_columns(&drawing);
  place_boxes(&drawing);
  return drawing;
}

static void print_columns(const Drawing *drawing) {
  Writer *writer = drawing->writer;
  for (uint32_t i = 0; i < drawing->column_count; i++) {
    const Column *column = &drawing->columns[i];
    if (column->event_count == 0)
      continue;
    writer_format(writer, "<text class=\"thread\" x=\"%d\" y=\"%d\">",
                  column->x + column->width / 2, MARGIN + 14);
    writer_escape_text(writer, ESCAPE_HTML, column->name);
    writer_text(writer, "</text>\n");
  }
}

static bool is_in_cycle(const Witness *witness, uint32_t event) {
  for (uint32_t i = 0; i < witness->edge_count; i++) {
    const WitnessEdge *edge = &witness->edges[i];
    if (edge->highlighted && (edge->from == event || edge->to == event))
      return true;
  }
  return false;
}

static void print_box(const Drawing *drawing, uint32_t i) {
  Writer *writer = drawing->writer;
  const Box *box = &drawing->boxes[i];
  const WitnessEvent *event = &drawing->witness->events[i];
  writer_format(writer,
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>",
                is_in_cycle(drawing->witness, i) ? "event cycle" : "event", box->x, box->y,
                box->width, BOX_HEIGHT);
  int middle = box->x + box->width / 2;
  int label_y = box->y + (event->span.source ? 17 : 23);
  writer_format(writer, "<text class=\"label\" x=\"%d\" y=\"%d\">", middle, label_y);
  writer_escape_text(writer, ESCAPE_HTML, event->label);
  writer_text(writer, "</text>");
  if (event->span.source) {
    writer_format(writer, "<text class=\"line\" x=\"%d\" y=\"%d\">", middle, box->y + 31);
    witness_print_place(writer, drawing->witness, event, ESCAPE_HTML);
    writer_text(writer, "</text>");
  }
  writer_char(writer, '\n');
}

static void begin_edge(const Drawing *drawing, const WitnessEdge *edge) {
  writer_format(drawing->writer,
                "<path class=\"edge%s\" stroke=\"%s\" marker-end=\"url(#arrow%zu)\"",
                edge->highlighted ? " cycle" : "", relation_color(edge->relation),
                relation_style(edge->relation));
}

static void print_edge_label(const Drawing *drawing, const WitnessEdge *edge, Point at) {
  writer_format(drawing->writer, "<text class=\"relation\" x=\"%d\" y=\"%d\" fill=\"%s\">", at.x,
                at.y, relation_color(edge->relation));
  writer_escape_text(drawing->writer, ESCAPE_HTML, edge->relation);
  writer_text(drawing->writer, "</text>\n");
}

typedef struct Curve {
  Point points[4]; // of a cubic Bézier curve: both ends are points 0 and 3
} Curve;

// The point that divides the curve as t divides 0..16.
static Point curve_point(const Curve *curve, int t) {
  int weights[4] = {(16 - t) * (16 - t) * (16 - t), 3 * (16 - t) * (16 - t) * t,
                    3 * (16 - t) * t * t, t * t * t};
  Point sum = {0, 0};
  for (int i = 0; i < 4; i++) {
    sum.x += weights[i] * curve->points[i].x;
    sum.y += weights[i] * curve->points[i].y;
  }
  return (Point){sum.x / 4096, sum.y / 4096};
}

// In the gap beside the column where the curve begins, since no box lies there; labels of edges
// that follow each other are at different distances.
static Point label_point(const Curve *curve, size_t number) {
  int distance = COLUMN_GAP * (2 + (int)(number % 3)) / 6;
  int t = 1;
  while (t < 10 && abs(curve_point(curve, t).x - curve->points[0].x) < distance)
    t++;
  Point point = curve_point(curve, t);
  return (Point){point.x, point.y - 4};
}

static void print_curve(const Drawing *drawing, const WitnessEdge *edge, const Curve *curve) {
  const Point *points = curve->points;
  begin_edge(drawing, edge);
  writer_format(drawing->writer, " d=\"M%d %d C%d %d %d %d %d %d\"/>", points[0].x, points[0].y,
                points[1].x, points[1].y, points[2].x, points[2].y, points[3].x, points[3].y);
  print_edge_label(drawing, edge, label_point(curve, (size_t)(edge - drawing->witness->edges)));
}

// Where the next edge meets a side of a box: each a little away from those before it.
static Point next_port(Box *box, bool on_right) {
  int number = on_right ? box->right_edges++ : box->left_edges++;
  int offset = (number % 5 + 1) / 2 * (number % 2 ? EDGE_SPREAD : -EDGE_SPREAD);
  return (Point){on_right ? box->x + box->width : box->x, box->y + BOX_HEIGHT / 2 + offset};
}

// Program order to the next event is a straight line down.
static void print_straight(const Drawing *drawing, const WitnessEdge *edge) {
  const Box *from = &drawing->boxes[edge->from], *to = &drawing->boxes[edge->to];
  int x = from->x + 24;
  begin_edge(drawing, edge);
  writer_format(drawing->writer, " d=\"M%d %d L%d %d\"/>", x, from->y + BOX_HEIGHT, x, to->y);
  print_edge_label(drawing, edge, (Point){x + 14, (from->y + BOX_HEIGHT + to->y) / 2 + 4});
}

static void print_edge(const Drawing *drawing, const WitnessEdge *edge) {
  Box *from = &drawing->boxes[edge->from], *to = &drawing->boxes[edge->to];
  bool is_same_column = from->column == to->column;
  if (is_same_column && strcmp(edge->relation, "po") == 0 && to->y == from->y + ROW_HEIGHT) {
    print_straight(drawing, edge);
    return;
  }
  bool to_the_right = to->x > from->x;
  Point begin = next_port(from, is_same_column || to_the_right);
  Point end = next_port(to, is_same_column || !to_the_right);
  int bend = is_same_column ? COLUMN_GAP / 2 : (to_the_right ? 1 : -1) * COLUMN_GAP / 2;
  Curve curve = {{begin,
                  {begin.x + bend, begin.y},
                  {is_same_column ? end.x + bend : end.x - bend, end.y},
                  end}};
  print_curve(drawing, edge, &curve);
}

static void print_legend(const Drawing *drawing) {
  bool is_used[RELATION_STYLE_COUNT] = {false};
  Writer *writer = drawing->writer;
  writer_text(writer, "<p class=\"legend\">");
  for (uint32_t i = 0; i < drawing->witness->edge_count; i++) {
    const char *relation = drawing->witness->edges[i].relation;
    size_t style = relation_style(relation);
    if (is_used[style])
      continue;
    is_used[style] = true;
    writer_format(writer, "<span><i style=\"background:%s\"></i>", relation_color(relation));
    writer_escape_text(writer, ESCAPE_HTML, relation);
    writer_text(writer, ": ");
    writer_text(writer, relation_meaning(relation));
    writer_text(writer, "</span> ");
  }
  writer_text(writer, "</p>\n");
}

void svg_print_markers(Writer *writer) {
  writer_text(writer, "<svg width=\"0\" height=\"0\" style=\"position:absolute\"><defs>\n");
  for (size_t i = 0; i < RELATION_STYLE_COUNT; i++)
    writer_format(writer,
                  "<marker id=\"arrow%zu\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
                  "markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" "
                  "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"%s\"/></marker>\n",
                  i, relation_style_color(i));
  writer_text(writer, "</defs></svg>\n");
}

void svg_print_witness(const Report *report, const Witness *witness) {
  Drawing drawing = make_drawing(report, witness);
  Writer *writer = drawing.writer;
  writer_format(writer, "<svg class=\"witness\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" ",
                drawing.width, drawing.height, drawing.width, drawing.height);
  writer_text(writer, "role=\"img\">\n<title>");
  writer_escape_text(writer, ESCAPE_HTML, witness->title ? witness->title : "execution");
  writer_text(writer, "</title>\n");
  print_columns(&drawing);
  for (uint32_t i = 0; i < witness->edge_count; i++)
    print_edge(&drawing, &witness->edges[i]);
  // Over the edges, so that their labels can be read.
  for (uint32_t i = 0; i < witness->event_count; i++)
    print_box(&drawing, i);
  writer_text(writer, "</svg>\n");
  print_legend(&drawing);
}
