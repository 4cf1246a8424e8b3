// All wait for the latch: libcu++ polls it many times in a row, and sleeps.
// launch: kernel=rotate grid=3 block=1 args=start:u64[1]={3},data:u32[3]=0,out:u32[3]=0
// expect: clean
// final: out[i]==(i+1)%3+1 for i=0..2
#include <cuda/latch>

extern "C" __global__ void rotate(cuda::latch<cuda::thread_scope_device> *start, unsigned *data, unsigned *out)
{
    data[blockIdx.x] = blockIdx.x + 1;
    start->arrive_and_wait();
    out[blockIdx.x] = data[(blockIdx.x + 1) % 3];
}
