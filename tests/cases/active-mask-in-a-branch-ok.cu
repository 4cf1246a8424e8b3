// Additions of a warp's lanes that take a branch, made by one of them: it asks who is there.
// launch: kernel=count_odd grid=1 block=32 args=in:u32[32]={0..31},count:u32[1]=0
// final: count[0] == 16
// expect: clean
extern "C" __global__ void count_odd(const unsigned *in, unsigned *count) {
  if (in[threadIdx.x] % 2 == 1) {
    unsigned lanes = __activemask();
    if (threadIdx.x % 32 == __ffs(lanes) - 1)
      atomicAdd(count, __popc(lanes));
  }
}
