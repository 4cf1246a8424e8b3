// A fence before atomicExch keeps the update inside the lock.
// launch: kernel=append grid=2 block=32 args=lock:u32[1]=0,length:u32[1]=0,list:u32[2]=0
// expect: clean
// final: length[0]==2 && list[0]+list[1]==1
#include <cuda/atomic>

extern "C" __global__ void append(unsigned *lock, unsigned *length, unsigned *list)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> gate(*lock);
    if (threadIdx.x != 0)
        return;
    while (gate.exchange(1, cuda::memory_order_acquire) == 1)
        ;
    unsigned n = length[0];
    list[n] = blockIdx.x;
    length[0] = n + 1;
    __threadfence();
    atomicExch(lock, 0);
}
