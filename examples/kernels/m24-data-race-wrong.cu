// M24: two accesses to one location, at least one of them a write, race unless they are ordered
// or both are atomic, each at a scope that includes the other's thread. Here one block counts by
// an atomic operation and the other looks by a plain load, which races however harmless it looks.
// In CUDA C++ the behaviour is undefined; in PTX the load may return any mixture of old and new
// bytes.
// launch: kernel=watch grid=2 block=32 args=counter:u32[1]=0,seen:u32[1]=0
// expect: data-race
// where: 17,19
// final: seen[0]<=1
#include <cuda/atomic>

extern "C" __global__ void watch(unsigned *counter, unsigned *seen)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0)
        atomicAdd(counter, 1);
    else
        seen[0] = counter[0];
}
