// The head carries a count of its changes.
// launch: kernel=pool coop=1 grid=2 block=1 args=head:u64[1]=0,next:s32[3]={1,2,-1},owner:u32[3]=0
// expect: clean
// final: owner[0]<=1 && owner[1]<=1 && owner[2]<=1
#include <cuda/atomic>
using Link = cuda::atomic_ref<int, cuda::thread_scope_device>;
using Head = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
__device__ int pop(unsigned long long *head, int *next)
{
    unsigned long long old = Head(*head).load(cuda::memory_order_acquire), fresh;
    do {
        if ((int)old < 0)
            return -1;
        fresh = (unsigned)Link(next[(int)old]).load(cuda::memory_order_relaxed);
        fresh |= ((old >> 32) + 1) << 32;
    } while (!Head(*head).compare_exchange_strong(old, fresh, cuda::memory_order_acq_rel, cuda::memory_order_acquire));
    return (int)old;
}
__device__ void push(unsigned long long *head, int *next, int node)
{
    unsigned long long old = Head(*head).load(cuda::memory_order_relaxed), fresh;
    do {
        Link(next[node]).store((int)old, cuda::memory_order_relaxed);
        fresh = (unsigned)node;
        fresh |= ((old >> 32) + 1) << 32;
    } while (!Head(*head).compare_exchange_strong(old, fresh, cuda::memory_order_acq_rel, cuda::memory_order_relaxed));
}
extern "C" __global__ void pool(unsigned long long *head, int *next, unsigned *owner)
{
    if (blockIdx.x == 0) {
        int a = pop(head, next);
        if (a >= 0)
            atomicAdd(&owner[a], 1);
        int c = pop(head, next);
        if (c >= 0)
            atomicAdd(&owner[c], 1);
    } else {
        int a = pop(head, next), b = pop(head, next);
        if (b >= 0)
            atomicAdd(&owner[b], 1);
        if (a >= 0)
            push(head, next, a);
    }
}
