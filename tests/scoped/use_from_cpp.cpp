// scoped.h and a check of functions from C++: the operations on each type, and a lambda as a
// thread.
#define WARPSAN_CHECK
#include <warpsan/scoped.h>

#include <cstdint>

namespace {

struct Shared {
  std::uint32_t flag;
  int data;
  double sum;
  std::int8_t small;
  Shared *next;
};

Shared shared;

constexpr auto device = scoped_thread_scope_device;

bool sums_up(void *) {
  return shared.sum > 2.9 && shared.sum < 3.1 && shared.small == -2 && shared.next == &shared;
}

} // namespace

int main() {
  WarpsanTest *test = nullptr;
  if (warpsan_test_new("C++", &test) != WARPSAN_OK)
    return 4;
  WarpsanLaunch writer{}, reader{};
  writer.size = reader.size = sizeof(WarpsanLaunch);
  writer.function = [](const WarpsanThread *, void *) {
    scoped_plain_store(&shared.data, 1);
    scoped_atomic_fetch_add(&shared.sum, 1.5, device);
    scoped_atomic_min(&shared.small, -2, device);
    scoped_atomic_store(&shared.next, &shared, device);
    scoped_atomic_store_explicit(&shared.flag, 1u, scoped_memory_order_release, device);
  };
  reader.function = [](const WarpsanThread *, void *) {
    scoped_spin_while(
        scoped_atomic_load_explicit(&shared.flag, scoped_memory_order_acquire, device) == 0);
    scoped_assert(scoped_plain_load(&shared.data) == 1);
    scoped_assert(scoped_atomic_load(&shared.next, device) == &shared);
    scoped_atomic_fetch_add(&shared.sum, 1.5, device);
  };
  reader.stream = 1;
  scoped_test_memory(test, shared);
  warpsan_test_launch(test, &writer);
  warpsan_test_launch(test, &reader);
  scoped_test_final(test, sums_up);
  return scoped_test_main(test);
}
