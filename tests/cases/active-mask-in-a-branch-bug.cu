// The mask of the lanes that take one branch, used where lanes of both branches meet: those of the
// other branch are not waited for.
// launch: kernel=hand_over grid=1 block=32 args=in:u32[32]={0..31},box:u32[1]=0,out:u32[1]=0
// expect: warp-sync-missing
// where: 11,14
extern "C" __global__ void hand_over(const unsigned *in, unsigned *box, unsigned *out) {
  unsigned lanes = 0x55555555;
  if (in[threadIdx.x] % 2 == 1)
    lanes = __activemask();
  if (threadIdx.x == 0)
    box[0] = 16;
  __syncwarp(lanes);
  if (threadIdx.x == 1)
    out[0] = box[0];
}
