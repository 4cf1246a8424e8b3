// Two devices count at the same time in a variable of the module: each has one of its own.
// launch: kernel=count grid=1 block=1 device=0 args=out:u32[2]=0,i:u32=0
// launch: kernel=count grid=1 block=1 device=1 args=out:u32[2]=0,i:u32=1
// relation: concurrent
// expect: clean
// final: out[0] == 1 && out[1] == 1
__device__ unsigned counter;

extern "C" __global__ void count(unsigned *out, unsigned i) {
  counter++;
  out[i] = counter;
}
