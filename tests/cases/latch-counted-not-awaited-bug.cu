// A latch of libcu++ that is counted down, but nobody waits for it.
// launch: kernel=rotate grid=3 block=1 args=start:u64[1]={3},data:u32[3]=0,out:u32[3]=0
// expect: no-synchronisation
// accept: acquire-missing
// where: 10,12
#include <cuda/latch>

extern "C" __global__ void rotate(cuda::latch<cuda::thread_scope_device> *start, unsigned *data, unsigned *out)
{
    data[blockIdx.x] = blockIdx.x + 1;
    start->count_down();
    out[blockIdx.x] = data[(blockIdx.x + 1) % 3];
}
