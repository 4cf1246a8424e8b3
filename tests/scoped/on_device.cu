// scoped.h on a GPU: what many threads leave behind, and plain data that only the orders protect.
// Exit status 77: there is no device.
#include <warpsan/scoped.h>

#include <cstdio>
#include <cstdlib>

#define DEVICE scoped_thread_scope_device
#define RELAXED scoped_memory_order_relaxed
#define ACQUIRE scoped_memory_order_acquire
#define RELEASE scoped_memory_order_release
#define ACQ_REL scoped_memory_order_acq_rel

enum { BLOCKS = 32, THREADS = 64, ALL = BLOCKS * THREADS, ROUNDS = 100 };

struct Values {
  uint8_t bytes[8];
  int16_t halves[4];
  int32_t word, least, most, ands, ors, xors;
  uint64_t wide, wide_most;
  float single, single_most;
  double real;
};

struct Shared {
  Values values;
  unsigned lock;
  int guarded;
  scoped_barrier barrier;
  scoped_latch latch;
  scoped_counting_semaphore semaphore;
  scoped_stop_source source;
  scoped_stop_callback callbacks[BLOCKS];
  scoped_grid_barrier grid;
  int slots[ALL], parts[BLOCKS], called[BLOCKS];
  int messages, turn, failures;
};

__device__ static void expect(Shared *shared, bool holds) {
  if (!holds)
    scoped_atomic_fetch_add_explicit(&shared->failures, 1, RELAXED, DEVICE);
}

__device__ static void note_call(void *context) {
  ++*static_cast<int *>(context);
}

__device__ static int own_number() {
  return static_cast<int>(blockIdx.x * THREADS + threadIdx.x);
}

// Every operation, from all threads at once.
__global__ void update(Shared *shared) {
  Values *v = &shared->values;
  int own = own_number();
  scoped_atomic_fetch_add_explicit(&v->bytes[own % 8], 1, RELAXED, DEVICE);
  scoped_atomic_fetch_max_explicit(&v->halves[own % 4], static_cast<int16_t>(own), ACQ_REL, DEVICE);
  scoped_atomic_fetch_add_explicit(&v->word, 1, RELEASE, DEVICE);
  scoped_atomic_fetch_min(&v->least, -own, DEVICE);
  scoped_atomic_fetch_max_explicit(&v->most, own, ACQUIRE, DEVICE);
  scoped_atomic_fetch_and(&v->ands, ~(1 << own % 31), DEVICE);
  scoped_atomic_fetch_or_explicit(&v->ors, 1 << own % 31, RELAXED, DEVICE);
  scoped_atomic_fetch_xor_explicit(&v->xors, own, RELAXED, DEVICE);
  scoped_atomic_fetch_sub_explicit(&v->wide, 3u, RELAXED, DEVICE);
  scoped_atomic_fetch_max_explicit(&v->wide_most, static_cast<uint64_t>(own) << 40, RELAXED, DEVICE);
  scoped_atomic_fetch_add_explicit(&v->single, 0.5f, RELAXED, DEVICE);
  scoped_atomic_fetch_max_explicit(&v->single_most, static_cast<float>(own), RELAXED, DEVICE);
  scoped_atomic_fetch_add_explicit(&v->real, 0.25, RELAXED, DEVICE);
}

// One thread of each block: a lock, messages, a barrier, a latch, a semaphore, a request to stop.
__global__ void order(Shared *shared) {
  int own = static_cast<int>(blockIdx.x);
  for (int i = 0; i < ROUNDS; i++) {
    scoped_spin_while(scoped_atomic_exchange_explicit(&shared->lock, 1u, ACQUIRE, DEVICE));
    scoped_plain_store(&shared->guarded, scoped_plain_load(&shared->guarded) + 1);
    scoped_atomic_store_explicit(&shared->lock, 0u, RELEASE, DEVICE);
  }
  for (int i = 0; i < ROUNDS && own < 2; i++) {
    scoped_atomic_wait_explicit(&shared->turn, 1 - own, ACQUIRE, DEVICE);
    scoped_plain_store(&shared->messages, scoped_plain_load(&shared->messages) + 1);
    scoped_atomic_store_explicit(&shared->turn, 1 - own, RELEASE, DEVICE);
  }
  for (int i = 1; i <= ROUNDS; i++) {
    scoped_plain_store(&shared->slots[own], i);
    scoped_barrier_arrive_and_wait(&shared->barrier, DEVICE);
    expect(shared, scoped_plain_load(&shared->slots[(own + i) % BLOCKS]) == i);
    scoped_barrier_arrive_and_wait(&shared->barrier, DEVICE);
  }
  scoped_plain_store(&shared->parts[own], own);
  scoped_latch_arrive_and_wait(&shared->latch, 1, DEVICE);
  expect(shared, scoped_plain_load(&shared->parts[BLOCKS - 1 - own]) == BLOCKS - 1 - own);
  scoped_counting_semaphore_acquire(&shared->semaphore, DEVICE);
  scoped_counting_semaphore_release(&shared->semaphore, 1, DEVICE);
  scoped_stop_token token = scoped_stop_source_get_token(&shared->source);
  scoped_stop_callback_init(&shared->callbacks[own], token, note_call, &shared->called[own], DEVICE);
  if (own == 0)
    expect(shared, scoped_stop_source_request(&shared->source, DEVICE));
  scoped_spin_while(!scoped_stop_requested(token, DEVICE));
  scoped_stop_callback_end(&shared->callbacks[own], token, DEVICE);
}

__global__ void meet(Shared *shared) {
  int own = own_number();
  for (int i = 1; i <= ROUNDS; i++) {
    scoped_plain_store(&shared->slots[own], i);
    scoped_grid_sync(&shared->grid, BLOCKS, threadIdx.x == 0);
    expect(shared, scoped_plain_load(&shared->slots[(own + i * 37) % ALL]) == i);
    scoped_grid_sync(&shared->grid, BLOCKS, threadIdx.x == 0);
  }
}

static bool values_are_right(const Values *v) {
  int xors = 0;
  for (int i = 0; i < ALL; i++)
    xors ^= i;
  bool is_right = v->word == ALL && v->least == 1 - ALL && v->most == ALL - 1 && v->ands == 0 &&
                  v->ors == 0x7fffffff && v->xors == xors &&
                  v->wide == static_cast<uint64_t>(-3ll * ALL) &&
                  v->wide_most == static_cast<uint64_t>(ALL - 1) << 40 &&
                  v->single == 0.5f * ALL && v->single_most == ALL - 1 && v->real == 0.25 * ALL;
  for (int i = 0; i < 8; i++)
    is_right &= v->bytes[i] == static_cast<uint8_t>(ALL / 8);
  for (int i = 0; i < 4; i++)
    is_right &= v->halves[i] == ALL - 4 + i;
  return is_right;
}

static void must(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::printf("%s\n", cudaGetErrorString(error));
  std::exit(2);
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return 77;
  static Shared host;
  host.values.ands = 0x7fffffff;
  scoped_barrier_init(&host.barrier, BLOCKS, nullptr, nullptr);
  scoped_latch_init(&host.latch, BLOCKS);
  scoped_counting_semaphore_init(&host.semaphore, 2);
  scoped_stop_source_init(&host.source);
  Shared *device;
  must(cudaMalloc(&device, sizeof host));
  must(cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice));
  update<<<BLOCKS, THREADS>>>(device);
  order<<<BLOCKS, 1>>>(device);
  void *arguments[] = {&device};
  must(cudaLaunchCooperativeKernel(meet, dim3(BLOCKS), dim3(THREADS), arguments));
  must(cudaDeviceSynchronize());
  must(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
  bool is_right = values_are_right(&host.values);
  int calls = 0;
  for (int i = 0; i < BLOCKS; i++)
    calls += host.called[i];
  std::printf("values right: %d, guarded %d of %d, messages %d of %d, calls %d, failures %d\n",
              is_right, host.guarded, BLOCKS * ROUNDS, host.messages, 2 * ROUNDS, calls,
              host.failures);
  is_right &= host.guarded == BLOCKS * ROUNDS && host.messages == 2 * ROUNDS &&
              host.called[0] == 1 && calls <= BLOCKS && host.failures == 0;
  return is_right ? 0 : 1;
}
