// Repaired: count_down comes before the part is stored.
// launch: kernel=prepare grid=1 block=1 args=latch:u64[1]=undef
// launch: kernel=work grid=3 block=1 coop=1 args=latch:u64[1]=undef,part:u32[3]=0,out:u32[3]=0
// relation: sequential
// expect: clean
// final: out[b]==6 for b=0..2
#include <cuda/latch>
#include <new>
using Latch = cuda::latch<cuda::thread_scope_device>;

extern "C" __global__ void prepare(Latch *latch) { new (latch) Latch(3); }

extern "C" __global__ void work(Latch *latch, unsigned *part, unsigned *out)
{
    part[blockIdx.x] = blockIdx.x + 1;
    latch->count_down();
    latch->wait();
    unsigned sum = 0;
    for (int i = 0; i < 3; i++)
        sum += part[i];
    out[blockIdx.x] = sum;
}
