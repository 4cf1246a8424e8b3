// They are looked up by loads of the pair.
// launch: kernel=table coop=1 grid=2 block=1 args=slot:u64[2]=0,out:u32[1]=0
// expect: clean
// final: out[0]==0 || out[0]==70
#include <cuda/atomic>
struct Pair { unsigned key, value; };
extern "C" __global__ void table(unsigned long long *slot, unsigned *out)
{
    if (blockIdx.x == 0) {
        atomicCAS(slot, 0ull, 70ull << 32 | 7);
        return;
    }
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> pair(*slot);
    unsigned long long seen = pair.load(cuda::memory_order_relaxed);
    if ((unsigned)seen == 7)
        out[0] = seen >> 32;
}
