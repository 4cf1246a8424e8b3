// Transposition through padded shared memory.
// launch: kernel=transpose grid=2,2 block=32,8 args=in:u32[4096]=random:25,out:u32[4096]=0
extern "C" __global__ void transpose(const unsigned *in, unsigned *out) {
  __shared__ unsigned tile[32][33];
  for (unsigned r = threadIdx.y; r < 32; r += 8)
    tile[r][threadIdx.x] = in[(blockIdx.y * 32 + r) * 64 + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  for (unsigned r = threadIdx.y; r < 32; r += 8)
    out[(blockIdx.x * 32 + r) * 64 + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][r];
}
