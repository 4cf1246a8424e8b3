// Producers arrive at a barrier, consumers wait at it, over and over.
// launch: kernel=named_barriers grid=1 block=64 args=out:u32[320]=0
extern "C" __global__ void named_barriers(unsigned *out) {
  __shared__ unsigned box[32];
  unsigned lane = threadIdx.x % 32;
  for (unsigned i = 0; i < 10; i++) {
    if (threadIdx.x < 32) {
      box[lane] = i * 100 + lane * lane;
      asm volatile("bar.arrive 1, 64;" ::: "memory");
      asm volatile("bar.sync 2, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[i * 32 + lane] = box[31 - lane];
      asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}
