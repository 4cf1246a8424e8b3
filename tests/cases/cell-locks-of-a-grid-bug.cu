// One lock for each cell, but the lock is chosen by another hash than the cell.
// launch: kernel=scatter grid=4 block=1 args=lock:u32[2]=0,cell:f32[2]=0,hits:u32[2]=0
// expect: no-synchronisation
// accept: lost-update
// where: 22,23
// final: cell[0]==2 && cell[1]==2 && hits[0]==2 && hits[1]==2
#include <cuda/atomic>
template <class F> __device__ void with_lock(unsigned *word, F f)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> lock(*word);
    while (lock.exchange(1, cuda::memory_order_acquire) == 1)
        while (lock.load(cuda::memory_order_relaxed) == 1)
            ;
    f();
    lock.store(0, cuda::memory_order_release);
}

extern "C" __global__ void scatter(unsigned *lock, float *cell, unsigned *hits)
{
    unsigned b = blockIdx.x, c = b % 2;
    with_lock(&lock[b / 2], [=] {
        cell[c] += 1.0f;
        hits[c]++;
    });
}
