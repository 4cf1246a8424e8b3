// Paths that split and meet again: what each lane does is its own.
// launch: kernel=divergence grid=2 block=64 args=out:u32[128]=0
extern "C" __global__ void divergence(unsigned *out) {
  unsigned thread = blockIdx.x * 64 + threadIdx.x, n = thread + 1, steps = 0;
  while (n != 1) {
    if (n % 2)
      n = 3 * n + 1;
    else
      n /= 2;
    steps++;
    if (steps > 90 && thread % 5 == 0)
      return;
  }
  out[thread] = steps;
}
