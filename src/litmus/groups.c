// Which threads wait for each other at a barrier: those of one cta (warp, cluster) whose code
// contains a barrier of the same number.
#include "litmus/parser.h"

#include <stdlib.h>

// One barrier instruction, by what it has in common with those that it meets.
typedef struct Meeting {
  IrOp kind; // IR_CLUSTER_ARRIVE stands for both halves of the cluster barrier
  uint32_t gpu, block, warp, key;
  uint32_t thread, instruction;
} Meeting;

typedef ARRAY(Meeting) MeetingList;

static int compare_numbers(uint32_t a, uint32_t b) {
  return (a > b) - (a < b);
}

// Zero: the two meet.
static int compare_places(const Meeting *a, const Meeting *b) {
  int order = compare_numbers(a->kind, b->kind);
  order = order ? order : compare_numbers(a->gpu, b->gpu);
  order = order ? order : compare_numbers(a->block, b->block);
  order = order ? order : compare_numbers(a->warp, b->warp);
  return order ? order : compare_numbers(a->key, b->key);
}

static int compare_meetings(const void *left, const void *right) {
  const Meeting *a = left, *b = right;
  int order = compare_places(a, b);
  order = order ? order : compare_numbers(a->thread, b->thread);
  return order ? order : compare_numbers(a->instruction, b->instruction);
}

// False: not a barrier.
static bool meeting_of(const LitmusThread *thread, const Instruction *instruction,
                       Meeting *meeting) {
  *meeting = (Meeting){.kind = instruction->op, .gpu = thread->place.gpu};
  switch (instruction->op) {
  case IR_BARRIER:
    meeting->block = thread->place.cta;
    meeting->key = instruction->barrier_key;
    return true;
  case IR_BARRIER_WARP:
    meeting->block = thread->place.cta;
    meeting->warp = thread->warp;
    meeting->key = instruction->barrier_key;
    return true;
  case IR_CLUSTER_ARRIVE:
  case IR_CLUSTER_WAIT:
    meeting->kind = IR_CLUSTER_ARRIVE;
    meeting->block = thread->place.cluster;
    return true;
  default:
    return false;
  }
}

static void collect_thread(LitmusParser *parser, uint32_t index, MeetingList *meetings) {
  const LitmusThread *thread = &parser->threads.items[index];
  for (uint32_t i = 0; i < thread->instructions.count; i++) {
    Meeting meeting;
    if (!meeting_of(thread, &thread->instructions.items[i], &meeting))
      continue;
    meeting.thread = index;
    meeting.instruction = i;
    array_push(parser->arena, meetings, meeting);
  }
}

// Makes one group of the meetings [begin, end), which are sorted by thread.
static ThreadGroup make_group(LitmusParser *parser, const MeetingList *meetings, uint32_t begin,
                              uint32_t end) {
  ThreadGroup group = {.threads = ARENA_ARRAY(parser->arena, uint32_t, end - begin)};
  for (uint32_t i = begin; i < end; i++) {
    uint32_t thread = meetings->items[i].thread;
    if (group.count == 0 || group.threads[group.count - 1] != thread)
      group.threads[group.count++] = thread;
  }
  return group;
}

void litmus_build_groups(LitmusParser *parser, Program *program) {
  MeetingList meetings = {0};
  ARRAY(ThreadGroup) groups = {0};
  for (uint32_t i = 0; i < parser->column_count; i++)
    collect_thread(parser, i, &meetings);
  if (meetings.count > 0)
    qsort(meetings.items, meetings.count, sizeof(Meeting), compare_meetings);
  for (uint32_t begin = 0, end; begin < meetings.count; begin = end) {
    for (end = begin; end < meetings.count; end++) {
      const Meeting *meeting = &meetings.items[end];
      if (compare_places(&meetings.items[begin], meeting) != 0)
        break;
      LitmusThread *thread = &parser->threads.items[meeting->thread];
      thread->instructions.items[meeting->instruction].participants = groups.count;
    }
    array_push(parser->arena, &groups, make_group(parser, &meetings, begin, end));
  }
  program->groups = groups.items;
  program->group_count = groups.count;
}
