// Kernels whose synchronisation, or overlapping reads, grow with the launch (scaling.py).
#include <cuda/atomic>

using Counter = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

// --- words that several warps, or several blocks, read

extern "C" __global__ void stencil_shared(const float *in, float *out, unsigned steps) {
  __shared__ float tile[2][1026];
  unsigned i = threadIdx.x + 1, first = blockIdx.x * blockDim.x, now = 0;
  tile[0][i] = in[first + threadIdx.x];
  if (threadIdx.x < 2)
    tile[0][threadIdx.x * (blockDim.x + 1)] = tile[1][threadIdx.x * (blockDim.x + 1)] = 0;
  __syncthreads();
  for (unsigned step = 0; step < steps; step++, now ^= 1) {
    tile[now ^ 1][i] = (tile[now][i - 1] + tile[now][i] + tile[now][i + 1]) / 3;
    __syncthreads();
  }
  out[first + threadIdx.x] = tile[now][i];
}

extern "C" __global__ void stencil_square(const float *in, float *out, unsigned steps) {
  __shared__ float tile[2][18][18];
  unsigned x = threadIdx.x + 1, y = threadIdx.y + 1, now = 0;
  unsigned t = threadIdx.y * 16 + threadIdx.x, i = blockIdx.x * 256 + t;
  for (unsigned k = t; k < 2 * 18 * 18; k += 256)
    (&tile[0][0][0])[k] = 0;
  __syncthreads();
  tile[0][y][x] = in[i];
  __syncthreads();
  for (unsigned step = 0; step < steps; step++, now ^= 1) {
    tile[now ^ 1][y][x] = (tile[now][y - 1][x] + tile[now][y][x - 1] + tile[now][y][x] +
                           tile[now][y][x + 1] + tile[now][y + 1][x]) / 5;
    __syncthreads();
  }
  out[i] = tile[now][y][x];
}

// Rows of `width` points, each thread one point; neighbours of all blocks around.
extern "C" __global__ void stencil_global(const float *in, float *out, unsigned width) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned height = gridDim.y * blockDim.y, i = y * width + x;
  float sum = in[i];
  if (x > 0 && x + 1 < width && y > 0 && y + 1 < height)
    sum = (sum + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]) / 5;
  out[i] = sum;
}

// --- barriers of a grid

__device__ void wait_for_all(unsigned *count, unsigned target) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1u);
    while (*(volatile unsigned *)count < target)
      ;
    __threadfence();
  }
  __syncthreads();
}

extern "C" __global__ void grid_barrier(unsigned *count, unsigned *data, unsigned *out, unsigned rounds) {
  unsigned all = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x, v = i;
  for (unsigned r = 0; r < rounds; r++) {
    (r % 2 == 0 ? data : out)[i] = v;
    wait_for_all(count, gridDim.x * (r + 1));
    v = (r % 2 == 0 ? data : out)[(i + blockDim.x) % all];
  }
  if (v == all)
    out[0] = 7;
}

// The same by release and acquire.
extern "C" __global__ void grid_latch(unsigned *count, unsigned *data, unsigned *out) {
  unsigned all = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    Counter(*count).fetch_add(1, cuda::memory_order_release);
    while (Counter(*count).load(cuda::memory_order_acquire) < gridDim.x)
      ;
  }
  __syncthreads();
  out[i] = data[(i + blockDim.x) % all];
}

// --- counters, semaphores, look-back

extern "C" __global__ void last_block(const unsigned *in, unsigned *part, unsigned *out, unsigned *count) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    is_last = atomicAdd(count, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last)
    return;
  __threadfence();
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    sum += part[i];
  atomicAdd(out, sum);
}

// Blocks that share a tile of the result add to it in turn.
extern "C" __global__ void split_k(float *tile, unsigned *semaphore) {
  unsigned i = blockIdx.y * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    while (Counter(semaphore[blockIdx.y]).load(cuda::memory_order_acquire) != blockIdx.x)
      ;
  __syncthreads();
  tile[i] += 1;
  __syncthreads();
  if (threadIdx.x == 0)
    Counter(semaphore[blockIdx.y]).store(blockIdx.x + 1, cuda::memory_order_release);
}

extern "C" __global__ void look_back(const unsigned *in, unsigned *out, unsigned *status, unsigned *aggregate,
                                     unsigned *prefix, unsigned *next) {
  __shared__ unsigned tile, before;
  if (threadIdx.x == 0)
    tile = atomicAdd(next, 1u);
  __syncthreads();
  unsigned t = tile, v = in[t * 32 + threadIdx.x];
  for (int d = 1; d < 32; d <<= 1) {
    unsigned u = __shfl_up_sync(~0u, v, d);
    if (threadIdx.x >= d)
      v += u;
  }
  if (threadIdx.x == 31) {
    unsigned sum = 0;
    aggregate[t] = v;
    Counter(status[t]).store(1, cuda::memory_order_release);
    for (int p = t - 1; p >= 0; p--) {
      unsigned s;
      while ((s = Counter(status[p]).load(cuda::memory_order_acquire)) == 0)
        ;
      sum += s == 2 ? prefix[p] : aggregate[p];
      if (s == 2)
        break;
    }
    prefix[t] = sum + v;
    Counter(status[t]).store(2, cuda::memory_order_release);
    before = sum;
  }
  __syncthreads();
  out[t * 32 + threadIdx.x] = v + before;
}

// --- every thread

extern "C" __global__ void fence_all(unsigned *data, unsigned *count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;
  __threadfence();
  atomicAdd(count, 1u);
}

extern "C" __global__ void release_all(unsigned *data, unsigned *count) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = i;
  Counter(*count).fetch_add(1, cuda::memory_order_acq_rel);
}

extern "C" __global__ void count_all(const unsigned *in, unsigned *bins, unsigned *total) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[in[i] % 1024], 1u);
  atomicAdd(total, 1u);
}
