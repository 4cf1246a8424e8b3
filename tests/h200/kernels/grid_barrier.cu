// Blocks that wait for each other three times, by counters in global memory.
// launch: kernel=grid_barrier grid=6 block=64 coop=1 args=data:u32[768]=iota,count:u32[3]=0,out:u32[384]=0
extern "C" __global__ void grid_barrier(unsigned *data, unsigned *count, unsigned *out) {
  unsigned i = blockIdx.x * 64 + threadIdx.x;
  for (unsigned step = 0; step < 3; step++) {
    unsigned other = data[(i * 7 + step * 64 + 5) % 384 + (step == 2 ? 384 : 0)];
    out[i] = out[i] * 5 + other;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(&count[step], 1);
      unsigned seen;
      do
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(count + step) : "memory");
      while (seen != gridDim.x);
    }
    __syncthreads();
    if (step == 0)
      data[384 + i] = i * 3 + out[i]; // read by nobody in the next step
  }
}
