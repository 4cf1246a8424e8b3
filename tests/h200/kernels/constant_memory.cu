// Constant memory, initialised module variables, and a structure as a parameter of bytes.
// launch: kernel=constant_memory grid=1 block=64 args=out:u32[64]=0,scale:f32=1.5
__constant__ unsigned table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
__device__ unsigned short steps[4] = {1, 10, 100, 1000};
__device__ unsigned counter = 40;
extern "C" __global__ void constant_memory(unsigned *out, float scale) {
  unsigned thread = threadIdx.x;
  out[thread] = table[thread % 16] * steps[thread / 16] + (unsigned)(scale * thread) + counter;
}
