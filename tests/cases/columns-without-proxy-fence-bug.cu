// A block takes 8 pixels of an image in im2col mode, with the offset of a filter, doubles them, and puts them
// back where they were without it. The fence between the proxies was left out.
// launch: kernel=columns grid=1 block=32 args=image=x:s32[4,4,3,2]:im2col[4,8]:[-1,-1]:[-1,-1]=iota,back=y:s32[4,4,3,2]:im2col[4,8]:[0,0]:[0,0]=0
// expect: proxy-fence-missing
// accept: data-race
// where: 27,31
// final: y[i] == (i >= 16 && i < 48 ? 2 * i : 0) for i=0..95
#include <cuda.h>

extern "C" __global__ void columns(const __grid_constant__ CUtensorMap image, const __grid_constant__ CUtensorMap back)
{
    __shared__ alignas(128) int pixels[32];
    __shared__ alignas(8) unsigned long long ready;
    unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&ready), done;
    unsigned place = (unsigned)__cvta_generic_to_shared(pixels);
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(bar) : "memory");
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6], {%7, %8};"
                     ::"r"(place), "l"(&image), "r"(0), "r"(-1), "r"(0), "r"(0), "r"(bar), "h"((short)1), "h"((short)1) : "memory");
    }
    __syncthreads();
    do
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar) : "memory");
    while (!done);
    pixels[t] *= 2;
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%1, %2, %3, %4}], [%5];"
                     ::"l"(&back), "r"(0), "r"(0), "r"(1), "r"(0), "r"(place) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
