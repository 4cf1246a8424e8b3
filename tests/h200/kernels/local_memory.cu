// Arrays in local memory that are indexed by data.
// launch: kernel=local_memory grid=2 block=64 args=in:u32[128]=random:8,out:u32[128]=0
extern "C" __global__ void local_memory(const unsigned *in, unsigned *out) {
  unsigned thread = blockIdx.x * 64 + threadIdx.x, stack[40], count = 0;
  unsigned state = in[thread];
  for (int i = 0; i < 200; i++) {
    state = state * 1664525 + 1013904223;
    if (count < 40 && (state >> 24 & 1 || count == 0))
      stack[count++] = state >> 8;
    else if (--count > 0)
      stack[(state >> 16) % count] ^= stack[count];
  }
  unsigned sum = count;
  for (unsigned i = 0; i < count; i++)
    sum = sum * 31 + stack[i];
  out[thread] = sum;
}
