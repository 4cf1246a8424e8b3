// Radix sort of a block's numbers, one bit at a time, with ballots.
// launch: kernel=sort_radix grid=1 block=128 args=in:u32[128]=random:17,out:u32[128]=0
extern "C" __global__ void sort_radix(const unsigned *in, unsigned *out) {
  __shared__ unsigned a[128], zeros[4];
  unsigned t = threadIdx.x, value = in[t];
  for (unsigned bit = 0; bit < 32; bit++) {
    unsigned one = value >> bit & 1, mask = __ballot_sync(~0u, !one);
    if (t % 32 == 0)
      zeros[t / 32] = __popc(mask);
    __syncthreads();
    unsigned total = 0, before = 0;
    for (unsigned w = 0; w < 4; w++) {
      before += w < t / 32 ? zeros[w] : 0;
      total += zeros[w];
    }
    before += __popc(mask & ((1u << t % 32) - 1));
    a[one ? total + t - before : before] = value;
    __syncthreads();
    value = a[t];
    __syncthreads();
  }
  out[t] = value;
}
