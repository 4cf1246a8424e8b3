// RCU on a GPU: a reader announces itself, takes the current version and reads it. The writer publishes a new version and then
// wipes the old one at once.
// launch: kernel=rcu grid=2 block=1 coop=1 args=slots:u32[2]={5,0},current:u32[1]=0,reading:u32[1]=0,y:u32[1]=0
// expect: data-race
// accept: stale-value
// where: 16,21
// final: y[0] == 5 || y[0] == 6
#include <cuda/atomic>
using Ref = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

extern "C" __global__ void rcu(unsigned *slots, unsigned *current, unsigned *reading, unsigned *y)
{
    if (blockIdx.x == 0) {
        Ref(*reading).fetch_add(1, cuda::memory_order_seq_cst);
        unsigned now = Ref(*current).load(cuda::memory_order_seq_cst);
        y[0] = slots[now];
        Ref(*reading).fetch_sub(1, cuda::memory_order_release);
    } else {
        slots[1] = 6;
        Ref(*current).store(1, cuda::memory_order_seq_cst);
        slots[0] = 0;
    }
}
