// A reader leaves with relaxed order, so that the writer may overwrite what the reader still reads.
// launch: kernel=rw grid=3 block=1 args=state:u32[1]=0,pair:u32[2]=0,seen:u32[3]=0
// expect: release-missing
// where: 34,39
// final: pair[0]==1 && pair[1]==1 && seen[1]==0 && seen[2]==0
#include <cuda/atomic>
constexpr unsigned WRITER = 0x80000000u;
struct SharedMutex {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> state;
    __device__ void lock()
    {
        unsigned none = 0;
        while (!state.compare_exchange_weak(none, WRITER, cuda::memory_order_acquire, cuda::memory_order_relaxed))
            none = 0;
    }
    __device__ void unlock() { state.fetch_sub(WRITER, cuda::memory_order_release); }
    __device__ void lock_shared()
    {
        unsigned now = state.load(cuda::memory_order_relaxed);
        while ((now & WRITER) || !state.compare_exchange_weak(now, now + 1, cuda::memory_order_acquire, cuda::memory_order_relaxed))
            now = state.load(cuda::memory_order_relaxed);
    }
    __device__ void unlock_shared()
    {
        state.fetch_sub(1, cuda::memory_order_relaxed);
    }
};

extern "C" __global__ void rw(unsigned *state, unsigned *pair, unsigned *seen)
{
    SharedMutex mutex{cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*state)};
    if (blockIdx.x == 0) {
        mutex.lock();
        pair[0]++;
        pair[1]++;
        mutex.unlock();
    } else {
        mutex.lock_shared();
        seen[blockIdx.x] = pair[0] ^ pair[1];
        mutex.unlock_shared();
    }
}
