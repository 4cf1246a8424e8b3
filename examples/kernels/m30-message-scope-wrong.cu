// M30: a message passed by a release store and an acquire load arrives if each of the two has a
// scope that includes the other's thread. Here the load has device scope but the store only block
// scope, and the reader is in another block. They do not synchronise, and in CUDA C++ the
// behaviour is undefined.
// launch: kernel=message grid=2 block=32 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=30
// expect: scope-too-narrow
// where: 18,19,20,21
// final: copy[0]==30
#include <cuda/atomic>

extern "C" __global__ void message(unsigned *data, unsigned *flag, unsigned *copy)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> sent(*flag);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> received(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 30;
        sent.store(1, cuda::memory_order_release);
    } else if (received.load(cuda::memory_order_acquire) == 1) {
        copy[0] = data[0];
    }
}
