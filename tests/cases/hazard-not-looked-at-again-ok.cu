// The hazard is announced, but nobody looks again whether the object is still the current one.
// launch: kernel=hp grid=2 block=1 args=cur:u32[1]=1,obj:u32[3]={0,7,8},hz:u32[1]=0,out:u32[1]=0
// expect: clean
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
         for (;;) {
             A(*hz).store(c, cuda::memory_order_relaxed);
             cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
             unsigned again = A(*cur).load(cuda::memory_order_acquire);
             if (again == c) break;
             c = again;
         }
        out[0] = obj[c];
        A(*hz).store(0, cuda::memory_order_release);
    }
}
