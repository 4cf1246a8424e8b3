// Host threads of OpenMP beside a kernel: each sends numbers to a block of its own and gets them back
// doubled, by flags of system scope in memory that both sides reach.
#include <warpsan/scoped.h>

#include <cstdio>

enum { PAIRS = 4, MESSAGES = 1000 };

typedef struct Channel {
  int request, answer; // number of the message that lies there
  int sent, returned;
} Channel;

__host__ __device__ static int wait_for(int *flag, int number) {
  while (scoped_atomic_load_explicit(flag, scoped_memory_order_acquire,
                                     scoped_thread_scope_system) != number) {
  }
  return number;
}

__host__ __device__ static void publish(int *flag, int number) {
  scoped_atomic_store_explicit(flag, number, scoped_memory_order_release,
                               scoped_thread_scope_system);
}

__global__ void double_them(Channel *channels) {
  Channel *channel = &channels[blockIdx.x];
  for (int i = 1; i <= MESSAGES; i++) {
    wait_for(&channel->request, i);
    channel->returned = 2 * channel->sent;
    publish(&channel->answer, i);
  }
}

static int talk(Channel *channel, int pair) {
  int wrong = 0;
  for (int i = 1; i <= MESSAGES; i++) {
    channel->sent = pair * MESSAGES + i;
    publish(&channel->request, i);
    wait_for(&channel->answer, i);
    wrong += channel->returned != 2 * (pair * MESSAGES + i);
  }
  return wrong;
}

int main() {
  Channel *channels;
  int wrong = 0, device_count = 0;
  if (cudaGetDeviceCount(&device_count) != cudaSuccess || device_count == 0)
    return 77;
  if (cudaHostAlloc((void **)&channels, PAIRS * sizeof *channels, cudaHostAllocMapped) != cudaSuccess)
    return 1;
  for (int i = 0; i < PAIRS; i++)
    channels[i] = Channel{};
  double_them<<<PAIRS, 1>>>(channels);
#pragma omp parallel for num_threads(PAIRS) reduction(+ : wrong)
  for (int i = 0; i < PAIRS; i++)
    wrong += talk(&channels[i], i);
  bool is_done = cudaDeviceSynchronize() == cudaSuccess;
  std::printf("%d wrong answers\n", wrong);
  return wrong || !is_done;
}
