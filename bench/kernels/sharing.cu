// Kernels whose words are read by several threads (scaling.py): shapes of real programs.
// --- neighbours

// Each block takes its part and a halo of 8 on both sides to shared memory, which its threads then read 17 times.
extern "C" __global__ void halo(const float *in, float *out, unsigned n) {
  __shared__ float tile[256 + 16];
  unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
  tile[t + 8] = in[i];
  if (t < 8) {
    tile[t] = i >= 8 ? in[i - 8] : 0;
    tile[t + 264] = i + 256 < n ? in[i + 256] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int d = 0; d < 17; d++)
    sum += tile[t + d];
  out[i] = sum;
}

// A step of Jacobi's method for a cube, of 7 points.
extern "C" __global__ void jacobi(const float *in, float *out, unsigned width) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  for (unsigned z = 0; z < width; z++) {
    unsigned i = (z * width + y) * width + x;
    float sum = in[i];
    if (x > 0 && x + 1 < width && y > 0 && y + 1 < width && z > 0 && z + 1 < width)
      sum += in[i - 1] + in[i + 1] + in[i - width] + in[i + width] + in[i - width * width] +
             in[i + width * width];
    out[i] = sum;
  }
}

// --- tables

extern "C" __global__ void convolution(const float *in, const float *weights, float *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < 25; k++)
    sum += (i + k < n ? in[i + k] : 0) * weights[k];
  out[i] = sum;
}

extern "C" __global__ void binary_search(const unsigned *sorted, const unsigned *keys, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, key = keys[i] % n, low = 0, high = n;
  while (high - low > 1) {
    unsigned middle = (low + high) / 2;
    if (sorted[middle] <= key)
      low = middle;
    else
      high = middle;
  }
  out[i] = low;
}

extern "C" __global__ void lookup(const unsigned *table, const unsigned *keys, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[keys[i] % n];
}

// --- all of all

extern "C" __global__ void bodies(const float *x, float *force, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = x[i], sum = 0;
  for (unsigned k = 0; k < n; k++)
    sum += x[k] - own;
  force[i] = sum;
}

extern "C" __global__ void bodies_tiled(const float *x, float *force, unsigned n) {
  __shared__ float tile[256];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float own = x[i], sum = 0;
  for (unsigned first = 0; first < n; first += 256) {
    tile[threadIdx.x] = x[first + threadIdx.x];
    __syncthreads();
    for (unsigned k = 0; k < 256; k++)
      sum += tile[k] - own;
    __syncthreads();
  }
  force[i] = sum;
}

// Without shared memory: rows are read by lanes, columns by blocks.
extern "C" __global__ void product(const float *a, const float *b, float *c, unsigned n) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (unsigned k = 0; k < n; k++)
    sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}

// --- sparse

extern "C" __global__ void sparse_rows(const unsigned *columns, const float *values, const float *x, float *y,
                                       unsigned width, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < width; k++)
    sum += values[i * width + k] * x[columns[i * width + k] % n];
  y[i] = sum;
}

// A warp for each row.
extern "C" __global__ void sparse_warps(const unsigned *columns, const float *values, const float *x, float *y,
                                        unsigned width, unsigned n) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x, i = t / 32, lane = t % 32;
  float sum = 0;
  for (unsigned k = lane; k < width; k += 32)
    sum += values[i * width + k] * x[columns[i * width + k] % n];
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0)
    y[i] = sum;
}

// One step: who is in the frontier adds its neighbours to the next one.
extern "C" __global__ void breadth_first(const unsigned *edges, unsigned *distance, const unsigned *frontier,
                                         unsigned *next, unsigned *count, unsigned degree, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, node = frontier[i];
  for (unsigned k = 0; k < degree; k++) {
    unsigned to = edges[node * degree + k] % n;
    if (atomicCAS(&distance[to], ~0u, 1u) == ~0u)
      next[atomicAdd(count, 1u)] = to;
  }
}

// --- shared memory

extern "C" __global__ void transpose(const float *in, float *out, unsigned width) {
  __shared__ float tile[32][33];
  unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (unsigned k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (unsigned k = 0; k < 32; k += 8)
    out[(y + k) * width + x] = tile[threadIdx.x][threadIdx.y + k];
}

extern "C" __global__ void prefix_sums(const unsigned *in, unsigned *out) {
  __shared__ unsigned sums[2][256];
  unsigned t = threadIdx.x, i = blockIdx.x * 256 + t, now = 0;
  sums[0][t] = in[i];
  __syncthreads();
  for (unsigned d = 1; d < 256; d *= 2, now ^= 1) {
    sums[now ^ 1][t] = sums[now][t] + (t >= d ? sums[now][t - d] : 0);
    __syncthreads();
  }
  out[i] = sums[now][t];
}

extern "C" __global__ void prefix_tree(const unsigned *in, unsigned *out) {
  __shared__ unsigned sums[512];
  unsigned t = threadIdx.x, i = blockIdx.x * 512, step = 1;
  sums[2 * t] = in[i + 2 * t];
  sums[2 * t + 1] = in[i + 2 * t + 1];
  for (unsigned d = 256; d > 0; d /= 2, step *= 2) {
    __syncthreads();
    if (t < d)
      sums[step * (2 * t + 2) - 1] += sums[step * (2 * t + 1) - 1];
  }
  if (t == 0)
    sums[511] = 0;
  for (unsigned d = 1; d < 512; d *= 2) {
    step /= 2;
    __syncthreads();
    if (t < d) {
      unsigned a = step * (2 * t + 1) - 1, b = step * (2 * t + 2) - 1, old = sums[a];
      sums[a] = sums[b];
      sums[b] += old;
    }
  }
  __syncthreads();
  out[i + 2 * t] = sums[2 * t];
  out[i + 2 * t + 1] = sums[2 * t + 1];
}

extern "C" __global__ void bitonic(const unsigned *in, unsigned *out) {
  __shared__ unsigned keys[512];
  unsigned t = threadIdx.x, first = blockIdx.x * 512;
  keys[t] = in[first + t];
  keys[t + 256] = in[first + t + 256];
  for (unsigned size = 2; size <= 512; size *= 2)
    for (unsigned d = size / 2; d > 0; d /= 2) {
      __syncthreads();
      unsigned a = 2 * t - (t & (d - 1)), b = a + d;
      bool is_up = (a & size) == 0;
      unsigned x = keys[a], y = keys[b];
      if ((x > y) == is_up) {
        keys[a] = y;
        keys[b] = x;
      }
    }
  __syncthreads();
  out[first + t] = keys[t];
  out[first + t + 256] = keys[t + 256];
}

// --- vectors, structures, tables

extern "C" __global__ void vectors(const float4 *in, float4 *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = in[i], w = out[i];
  out[i] = {v.x + w.x, v.y + w.y, v.z + w.z, v.w + w.w};
}

struct Point {
  float x, y, z;
};

extern "C" __global__ void points(const Point *in, Point *out, float step) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i].x += step * in[i].x;
  out[i].y += step * in[i].y;
  out[i].z += step * in[i].z;
}

// A step of a matrix product whose threads have 4 x 4 results each: vectors of shared memory.
extern "C" __global__ void product_tiled(const float4 *a, const float4 *b, float4 *c, unsigned steps) {
  __shared__ float4 left[8][16], right[8][16];
  unsigned x = threadIdx.x % 16, y = threadIdx.x / 16, k = threadIdx.x % 128;
  float sum[4][4] = {};
  for (unsigned step = 0; step < steps; step++) {
    if (threadIdx.x < 128)
      left[k / 16][k % 16] = a[(blockIdx.x * steps + step) * 128 + k];
    else
      right[k / 16][k % 16] = b[step * 128 + k];
    __syncthreads();
    for (unsigned i = 0; i < 8; i++) {
      float4 l = left[i][y], r = right[i][x];
      float ls[4] = {l.x, l.y, l.z, l.w}, rs[4] = {r.x, r.y, r.z, r.w};
      for (unsigned p = 0; p < 4; p++)
        for (unsigned q = 0; q < 4; q++)
          sum[p][q] += ls[p] * rs[q];
    }
    __syncthreads();
  }
  for (unsigned p = 0; p < 4; p++)
    c[(blockIdx.x * 64 + y * 4 + p) * 16 + x] = {sum[p][0], sum[p][1], sum[p][2], sum[p][3]};
}

// Each thread looks 16 values up in a table in shared memory.
extern "C" __global__ void table_shared(const unsigned *in, const unsigned *values, unsigned *out) {
  __shared__ unsigned table[256];
  unsigned i = blockIdx.x * 256 + threadIdx.x, v = in[i];
  table[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  for (unsigned k = 0; k < 16; k++)
    v = v >> 8 ^ table[v & 255];
  out[i] = v;
}

// Butterflies between places that are a power of two apart.
extern "C" __global__ void fourier(const float2 *in, float2 *out) {
  __shared__ float2 data[512];
  unsigned t = threadIdx.x, first = blockIdx.x * 512;
  data[t] = in[first + t];
  data[t + 256] = in[first + t + 256];
  for (unsigned d = 1; d < 512; d *= 2) {
    __syncthreads();
    unsigned a = 2 * t - (t & (d - 1)), b = a + d;
    float2 x = data[a], y = data[b];
    data[a] = {x.x + y.x, x.y + y.y};
    data[b] = {x.x - y.x, x.y - y.y};
  }
  __syncthreads();
  out[first + t] = data[t];
  out[first + t + 256] = data[t + 256];
}
