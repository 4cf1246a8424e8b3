// The destructor of the guard stores with relaxed order.
// launch: kernel=deposit grid=3 block=1 args=lock:u32[1]=0,account:u64[2]=0
// expect: release-missing
// where: 25,28
// final: account[0]==3 && account[1]==30
#include <cuda/atomic>
template <cuda::thread_scope SCOPE> class Guard {
public:
    __device__ explicit Guard(unsigned &word) : lock(word)
    {
        while (lock.exchange(1, cuda::memory_order_acquire))
            ;
    }
    __device__ ~Guard()
    {
        lock.store(0, cuda::memory_order_relaxed);
    }
private:
    cuda::atomic_ref<unsigned, SCOPE> lock;
};

extern "C" __global__ void deposit(unsigned *lock, unsigned long long *account)
{
    Guard<cuda::thread_scope_device> guard(*lock);
    account[0] += 1;
    if (account[0] > 3)
        return;
    account[1] += 10;
}
