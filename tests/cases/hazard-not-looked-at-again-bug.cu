// The hazard is announced, but nobody looks again whether the object is still the current one.
// launch: kernel=hp grid=2 block=1 args=cur:u32[1]=1,obj:u32[3]={0,7,8},hz:u32[1]=0,out:u32[1]=0
// expect: data-race
// where: 13,17
#include <cuda/atomic>
using A = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
extern "C" __global__ void hp(unsigned *cur, unsigned *obj, unsigned *hz, unsigned *out)
{
    if (blockIdx.x == 0) {
        unsigned old = A(*cur).exchange(2, cuda::memory_order_acq_rel);
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
        if (A(*hz).load(cuda::memory_order_acquire) != old)
            obj[old] = 0;
    } else {
        unsigned c = A(*cur).load(cuda::memory_order_acquire);
         A(*hz).store(c, cuda::memory_order_relaxed);
        out[0] = obj[c];
        A(*hz).store(0, cuda::memory_order_release);
    }
}
