// Where the threads of a PTX test run: `P0@cta 0,cluster 0,gpu 0,warp 1,after P2` or `P0@host`.
#include "litmus/parser.h"

// Which attributes a heading stated.
enum { HAS_CTA = 1, HAS_CLUSTER = 2, HAS_GPU = 4, HAS_WARP = 8, HAS_HOST = 16 };

static bool parse_after(LitmusParser *parser, uint32_t thread) {
  LitmusAfter after = {.span = litmus_token_span(parser)};
  if (!litmus_parse_thread(parser, &after.thread))
    return false;
  if (after.thread == thread)
    return litmus_error(parser, after.span, "expected another thread behind 'after', found P%u",
                        thread);
  array_push(parser->arena, &parser->threads.items[thread].afters, after);
  return true;
}

// The number behind an attribute, which may be stated once.
static bool parse_attribute(LitmusParser *parser, uint32_t flag, const char *what, uint32_t *stated,
                            uint32_t *value) {
  Span span = litmus_span_from(parser, parser->token.begin);
  if (*stated & flag)
    return litmus_error(parser, span, "%s is given twice", what);
  *stated |= flag;
  return litmus_parse_index(parser, arena_format(parser->arena, "%s", what), value);
}

static bool parse_host(LitmusParser *parser, uint32_t thread, uint32_t *stated) {
  parser->threads.items[thread].place.is_host = true;
  *stated |= HAS_HOST;
  return true;
}

static bool parse_one(LitmusParser *parser, uint32_t thread, uint32_t *stated) {
  LitmusThread *placed = &parser->threads.items[thread];
  bool is_c = parser->dialect == LITMUS_C;
  if (litmus_take_word(parser, "cta") || (is_c && litmus_take_word(parser, "wg")))
    return parse_attribute(parser, HAS_CTA, "the number of a cta", stated, &placed->place.cta);
  if (litmus_take_word(parser, "gpu") || (is_c && litmus_take_word(parser, "dev")))
    return parse_attribute(parser, HAS_GPU, "the number of a gpu", stated, &placed->place.gpu);
  if (litmus_take_word(parser, "cluster"))
    return parse_attribute(parser, HAS_CLUSTER, "the number of a cluster", stated,
                           &placed->place.cluster);
  if (litmus_take_word(parser, "warp"))
    return parse_attribute(parser, HAS_WARP, "the number of a warp", stated, &placed->warp);
  if (litmus_take_word(parser, "host"))
    return parse_host(parser, thread, stated);
  if (litmus_take_word(parser, "after"))
    return parse_after(parser, thread);
  return litmus_expected(parser, "cta, cluster, gpu, warp, host or after");
}

bool litmus_parse_placement(LitmusParser *parser, uint32_t thread) {
  uint32_t stated = 0;
  Span span = litmus_token_span(parser);
  if (!litmus_take_token(parser, LITMUS_TOKEN_AT))
    return litmus_expected(parser, "'@' and where the thread runs, as in '@cta 0,gpu 0'");
  do {
    if (!parse_one(parser, thread, &stated))
      return false;
  } while (litmus_take_token(parser, LITMUS_TOKEN_COMMA));
  if (stated & HAS_HOST && stated != HAS_HOST)
    return litmus_error(parser, span, "a host thread has no cta, cluster, gpu or warp");
  if (!(stated & (HAS_HOST | HAS_CTA)))
    return litmus_error(parser, span, "expected 'cta' or 'host' in the placement of P%u", thread);
  parser->threads.items[thread].has_cluster = stated & HAS_CLUSTER;
  return true;
}

static bool is_same_cta(const Placement *a, const Placement *b) {
  return !a->is_host && !b->is_host && a->gpu == b->gpu && a->cta == b->cta;
}

// Threads of one cta are in one cluster, whichever of them states it.
static void share_clusters(LitmusParser *parser) {
  for (uint32_t i = 0; i < parser->column_count; i++) {
    LitmusThread *from = &parser->threads.items[i];
    for (uint32_t j = 0; from->has_cluster && j < parser->column_count; j++) {
      LitmusThread *to = &parser->threads.items[j];
      if (!is_same_cta(&from->place, &to->place))
        continue;
      if (to->has_cluster && to->place.cluster != from->place.cluster) {
        litmus_error(parser, to->span,
                     "P%u and P%u are in one cta: expected one cluster, found %u and %u", i, j,
                     from->place.cluster, to->place.cluster);
        return;
      }
      to->has_cluster = true;
      to->place.cluster = from->place.cluster;
    }
  }
}

// The lowest number above those of the clusters on that gpu.
static uint32_t next_cluster(const LitmusParser *parser, uint32_t gpu) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < parser->column_count; i++) {
    const LitmusThread *thread = &parser->threads.items[i];
    if (thread->has_cluster && thread->place.gpu == gpu && thread->place.cluster >= next)
      next = thread->place.cluster + 1;
  }
  return next;
}

void litmus_place_threads(LitmusParser *parser) {
  if (parser->dialect == LITMUS_X86)
    return;
  share_clusters(parser);
  for (uint32_t i = 0; i < parser->column_count; i++) {
    LitmusThread *thread = &parser->threads.items[i];
    if (thread->has_cluster || thread->place.is_host)
      continue;
    uint32_t cluster = next_cluster(parser, thread->place.gpu);
    for (uint32_t j = i; j < parser->column_count; j++) {
      LitmusThread *other = &parser->threads.items[j];
      if (is_same_cta(&thread->place, &other->place)) {
        other->has_cluster = true;
        other->place.cluster = cluster;
      }
    }
  }
}
