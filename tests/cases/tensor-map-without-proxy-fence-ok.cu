// A thread writes a tensor map into global memory and makes its box smaller; a thread of another warp
// loads a box by it. Fences of that proxy lie between.
// Compiled with -arch=sm_90a.
// launch: kernel=change_map grid=1 block=64 args=map=x:s32[8,4]:[4,2]=iota,out:s32[4]=0
// expect: clean
// final: out[i] == 10 + i for i=0..3
#include <cuda.h>

__device__ alignas(128) CUtensorMap changed;

extern "C" __global__ void change_map(const __grid_constant__ CUtensorMap map, int *out)
{
    __shared__ alignas(128) int box[4];
    __shared__ alignas(8) unsigned long long ready;
    unsigned bar = (unsigned)__cvta_generic_to_shared(&ready), done;
    unsigned long long there = (unsigned long long)__cvta_generic_to_global(&changed);
    if (threadIdx.x == 0) {
        changed = map;
        asm volatile("tensormap.replace.tile.box_dim.global.b1024.b32 [%0], 1, %1;" ::"l"(there), "r"(1) : "memory");
        asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x != 32)
        return;
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(there) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(bar) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                 ::"r"((unsigned)__cvta_generic_to_shared(box)), "l"(there), "r"(2), "r"(1), "r"(bar) : "memory");
    do
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar) : "memory");
    while (!done);
    for (int i = 0; i < 4; i++)
        out[i] = box[i];
}
