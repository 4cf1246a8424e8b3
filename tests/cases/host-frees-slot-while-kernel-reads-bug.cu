// The host feeds a kernel through a ring of two slots in pinned memory. It fills a slot without a look at how far
// the kernel has got.
// launch: kernel=feed device=host grid=1 block=1 args=slot=S:u32[2]=0,head=H:u32[1]=0,tail=T:u32[1]=0
// launch: kernel=drain device=0 grid=1 block=1 args=slot=S:u32[2]=0,head=H:u32[1]=0,tail=T:u32[1]=0,sum:u32[1]=0
// relation: concurrent
// expect: data-race
// where: 15,26
// final: sum[0] == 606
#include <cuda/atomic>
using Ref = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;

extern "C" __global__ void feed(unsigned *slot, unsigned *head, unsigned *tail)
{
    for (unsigned k = 0; k < 3; k++) {
        slot[k % 2] = 201 + k;
        Ref(*head).store(k + 1, cuda::memory_order_release);
    }
}

extern "C" __global__ void drain(const unsigned *slot, unsigned *head, unsigned *tail, unsigned *sum)
{
    unsigned total = 0;
    for (unsigned k = 0; k < 3; k++) {
        while (Ref(*head).load(cuda::memory_order_acquire) <= k)
            ;
        total += ((volatile const unsigned *)slot)[k % 2];
        Ref(*tail).store(k + 1, cuda::memory_order_release);
    }
    *sum = total;
}
