// The flag has release and acquire order, but block scope; giver and taker are in different
// blocks.
// launch: kernel=handoff grid=2 block=32 args=parcel:u32[1]=0,sent:u32[1]=0,got:u32[1]=7
// expect: scope-too-narrow
// where: 17,18,19,20
// final: got[0]==7
#include <cuda/atomic>

using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_block>;

extern "C" __global__ void handoff(unsigned *parcel, unsigned *sent, unsigned *got)
{
    Flag flag(*sent);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        parcel[0] = 7;
        flag.store(1, cuda::memory_order_release);
    } else if (flag.load(cuda::memory_order_acquire) == 1) {
        got[0] = parcel[0];
    }
}
