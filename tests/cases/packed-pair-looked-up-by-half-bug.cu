// Pairs of key and value are inserted by 64-bit compare-and-swap, and looked up by loads of their halves.
// launch: kernel=table coop=1 grid=2 block=1 args=slot:u64[2]=0,out:u32[1]=0
// expect: torn-access
// accept: data-race
// where: 12,16
// final: out[0]==0 || out[0]==70
#include <cuda/atomic>
struct Pair { unsigned key, value; };
extern "C" __global__ void table(unsigned long long *slot, unsigned *out)
{
    if (blockIdx.x == 0) {
        atomicCAS(slot, 0ull, 70ull << 32 | 7);
        return;
    }
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> key(((Pair *)slot)->key), value(((Pair *)slot)->value);
    if (key.load(cuda::memory_order_relaxed) == 7)
        out[0] = value.load(cuda::memory_order_relaxed);
}
