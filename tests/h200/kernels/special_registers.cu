// Special registers of a grid of three dimensions.
// launch: kernel=special_registers grid=2,3,2 block=5,4,3 shared=64 args=out:u32[12960]=0
extern "C" __global__ void special_registers(unsigned *out) {
  unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned *row = out + (block * 60 + thread) * 18, value;
  row[0] = threadIdx.x, row[1] = threadIdx.y, row[2] = threadIdx.z;
  row[3] = blockIdx.x, row[4] = blockIdx.y, row[5] = blockIdx.z;
  row[6] = blockDim.x, row[7] = blockDim.y, row[8] = blockDim.z;
  row[9] = gridDim.x, row[10] = gridDim.y, row[11] = gridDim.z;
  asm("mov.u32 %0, %%laneid;" : "=r"(value));
  row[12] = value;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(value));
  row[13] = value;
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(value));
  row[14] = value;
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(value));
  row[15] = value;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(value));
  row[16] = value;
  asm("mov.u32 %0, WARP_SZ;" : "=r"(value));
  row[17] = value;
}
