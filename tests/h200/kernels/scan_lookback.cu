// Prefix sums over blocks in one pass: each block looks back at what the blocks before it have published.
// launch: kernel=scan_lookback grid=8 block=64 coop=1 args=in:u32[512]=random:15,out:u32[512]=0,state:u64[8]=0,next:u32[1]=0
extern "C" __global__ void scan_lookback(const unsigned *in, unsigned *out, unsigned long long *state, unsigned *next) {
  __shared__ unsigned tile, before, row[64];
  unsigned t = threadIdx.x;
  if (t == 0)
    tile = atomicAdd(next, 1);
  __syncthreads();
  unsigned value = in[tile * 64 + t] % 1000;
  row[t] = value;
  __syncthreads();
  for (unsigned by = 1; by < 64; by *= 2) {
    unsigned other = t >= by ? row[t - by] : 0;
    __syncthreads();
    row[t] += other;
    __syncthreads();
  }
  if (t == 0) {
    unsigned sum = 0;
    if (tile > 0) {
      asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(state + tile), "l"((1ull << 32) | row[63]) : "memory");
      for (unsigned i = tile; i-- > 0;) {
        unsigned long long word;
        do
          asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(word) : "l"(state + i) : "memory");
        while (word >> 32 == 0);
        sum += (unsigned)word;
        if (word >> 32 == 2)
          break;
      }
    }
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" ::"l"(state + tile), "l"((2ull << 32) | (sum + row[63])) : "memory");
    before = sum;
  }
  __syncthreads();
  out[tile * 64 + t] = before + row[t];
}
