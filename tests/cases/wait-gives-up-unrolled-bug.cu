// A consumer polls a thousand times and then gives up. The compiler unrolls the loop, and leaves it by
// many ways, on each of which the count is another one. Having given up, it reads all the same.
// launch: kernel=consume grid=2 block=1 args=flag:u32[1]=0,data:u32[1]=0,out:u32[1]=0
// expect: data-race
// where: 13,19
// final: out[0] <= 7
#include <cuda/atomic>

extern "C" __global__ void consume(unsigned *flag, unsigned *data, unsigned *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        data[0] = 7;
        ready.store(1, cuda::memory_order_release);
        return;
    }
    int tries = 0;
    while (tries < 1000 && ready.fetch_add(0, cuda::memory_order_acq_rel) == 0) tries++;
    out[0] = tries == 1000 ? data[0] / 2 : data[0];
}
// run: no, too rare an interleaving
