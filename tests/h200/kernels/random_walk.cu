// A generator of random numbers of 64 bits, and Monte Carlo counts of hits in a circle.
// launch: kernel=random_walk grid=2 block=64 args=out:u32[128]=0
extern "C" __global__ void random_walk(unsigned *out) {
  unsigned thread = blockIdx.x * 64 + threadIdx.x, hits = 0;
  unsigned long long state = thread * 0x9e3779b97f4a7c15ull + 1;
  for (int i = 0; i < 100; i++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    float x = (unsigned)(state >> 40) * 0x1p-24f, y = (unsigned)(state & 0xffffff) * 0x1p-24f;
    hits += x * x + y * y < 1.0f;
  }
  out[thread] = hits * 65536 + (unsigned)(state >> 48);
}
