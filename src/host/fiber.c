#include "host/fiber.h"

#include <stdint.h>

// --- the sanitizers' interfaces, if the program is linked with them

void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom, size_t size)
    __attribute__((weak));
void __sanitizer_finish_switch_fiber(void *fake_stack, const void **bottom, size_t *size)
    __attribute__((weak));
void __asan_unpoison_memory_region(const volatile void *address, size_t size) __attribute__((weak));
void *__tsan_get_current_fiber(void) __attribute__((weak));
void *__tsan_create_fiber(unsigned flags) __attribute__((weak));
void __tsan_destroy_fiber(void *fiber) __attribute__((weak));
void __tsan_switch_to_fiber(void *fiber, unsigned flags) __attribute__((weak));

static void before_switch(void **fake, const void *bottom, size_t size, void *tsan) {
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(fake, bottom, size);
  if (__tsan_switch_to_fiber)
    __tsan_switch_to_fiber(tsan, 0);
}

static void after_switch(void *fake, const void **bottom, size_t *size) {
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(fake, bottom, size);
}

static void forget_stack(Fiber *fiber) {
  if (__asan_unpoison_memory_region)
    __asan_unpoison_memory_region(fiber->stack, fiber->stack_bytes);
  fiber->fake_inside = NULL;
  fiber_release(fiber);
  if (__tsan_create_fiber)
    fiber->tsan_inside = __tsan_create_fiber(0);
}

// The first function on a fiber's stack. Called by the code below.
__attribute__((used, visibility("hidden"))) void fiber_run(Fiber *fiber);

void fiber_run(Fiber *fiber) {
  after_switch(NULL, &fiber->outside_stack, &fiber->outside_bytes);
  fiber->entry(fiber->context);
}

// --- switching stacks: saves what a function must keep, and the stack pointer in *save

#if defined(__x86_64__) && defined(__linux__)

__asm__(".text\n"
        ".globl fiber_switch\n"
        ".hidden fiber_switch\n"
        ".type fiber_switch,@function\n"
        "fiber_switch:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size fiber_switch,.-fiber_switch\n"
        ".globl fiber_first\n"
        ".hidden fiber_first\n"
        ".type fiber_first,@function\n"
        "fiber_first:\n"
        "  movq %rbx, %rdi\n"
        "  call fiber_run\n"
        "  ud2\n"
        ".size fiber_first,.-fiber_first\n");

// Words of the frame that fiber_switch leaves, where it keeps rbx and the address to return to, and
// words behind it so that the stack is aligned at the first call.
enum { FRAME_WORDS = 7, FRAME_FIBER = 4, FRAME_RETURN = 6, PADDING_WORDS = 2 };

#elif defined(__aarch64__) && defined(__linux__)

__asm__(".text\n"
        ".globl fiber_switch\n"
        ".hidden fiber_switch\n"
        ".type fiber_switch,%function\n"
        "fiber_switch:\n"
        "  sub sp, sp, #160\n"
        "  stp x19, x20, [sp, #0]\n"
        "  stp x21, x22, [sp, #16]\n"
        "  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n"
        "  stp x27, x28, [sp, #64]\n"
        "  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n"
        "  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n"
        "  str x9, [x0]\n"
        "  mov sp, x1\n"
        "  ldp x19, x20, [sp, #0]\n"
        "  ldp x21, x22, [sp, #16]\n"
        "  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n"
        "  ldp x27, x28, [sp, #64]\n"
        "  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n"
        "  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #160\n"
        "  ret\n"
        ".size fiber_switch,.-fiber_switch\n"
        ".globl fiber_first\n"
        ".hidden fiber_first\n"
        ".type fiber_first,%function\n"
        "fiber_first:\n"
        "  mov x0, x19\n"
        "  bl fiber_run\n"
        "  brk #1\n"
        ".size fiber_first,.-fiber_first\n");

enum { FRAME_WORDS = 20, FRAME_FIBER = 0, FRAME_RETURN = 11, PADDING_WORDS = 2 };

#else
#define FIBER_USES_CONTEXTS
#endif

#ifndef FIBER_USES_CONTEXTS

void fiber_switch(void **save, void *to);
void fiber_first(void);

void fiber_begin(Fiber *fiber) {
  forget_stack(fiber);
  uintptr_t top = ((uintptr_t)fiber->stack + fiber->stack_bytes) & ~(uintptr_t)63;
  uintptr_t *frame = (uintptr_t *)top - PADDING_WORDS - FRAME_WORDS;
  for (int i = 0; i < FRAME_WORDS + PADDING_WORDS; i++)
    frame[i] = 0;
  frame[FRAME_FIBER] = (uintptr_t)fiber;
  frame[FRAME_RETURN] = (uintptr_t)fiber_first;
  fiber->inside = frame;
}

static void switch_in(Fiber *fiber) {
  fiber_switch(&fiber->outside, fiber->inside);
}

static void switch_out(Fiber *fiber) {
  fiber_switch(&fiber->inside, fiber->outside);
}

#else

#include <string.h>
#include <ucontext.h>

// The two contexts are at the lower end of the stack.
static ucontext_t *contexts_of(const Fiber *fiber) {
  return (ucontext_t *)(void *)fiber->stack;
}

static void first(unsigned high, unsigned low) {
  fiber_run((Fiber *)(((uintptr_t)high << 16 << 16) | low));
}

void fiber_begin(Fiber *fiber) {
  forget_stack(fiber);
  ucontext_t *inside = &contexts_of(fiber)[0];
  size_t used = 2 * sizeof *inside;
  uintptr_t address = (uintptr_t)fiber;
  getcontext(inside);
  inside->uc_stack.ss_sp = fiber->stack + used;
  inside->uc_stack.ss_size = fiber->stack_bytes - used;
  inside->uc_link = NULL;
  makecontext(inside, (void (*)(void))first, 2, (unsigned)(address >> 16 >> 16), (unsigned)address);
}

static void switch_in(Fiber *fiber) {
  swapcontext(&contexts_of(fiber)[1], &contexts_of(fiber)[0]);
}

static void switch_out(Fiber *fiber) {
  swapcontext(&contexts_of(fiber)[0], &contexts_of(fiber)[1]);
}

#endif

// --- entering and leaving

void fiber_enter(Fiber *fiber) {
  if (__tsan_get_current_fiber)
    fiber->tsan_outside = __tsan_get_current_fiber();
  before_switch(&fiber->fake_outside, fiber->stack, fiber->stack_bytes, fiber->tsan_inside);
  switch_in(fiber);
  after_switch(fiber->fake_outside, NULL, NULL);
}

void fiber_leave(Fiber *fiber) {
  before_switch(&fiber->fake_inside, fiber->outside_stack, fiber->outside_bytes,
                fiber->tsan_outside);
  switch_out(fiber);
  after_switch(fiber->fake_inside, &fiber->outside_stack, &fiber->outside_bytes);
}

void fiber_release(Fiber *fiber) {
  if (fiber->tsan_inside && __tsan_destroy_fiber)
    __tsan_destroy_fiber(fiber->tsan_inside);
  fiber->tsan_inside = NULL;
}
