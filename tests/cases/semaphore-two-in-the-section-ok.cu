// Repaired: the semaphore begins with two permits, but the section is for one.
// launch: kernel=prepare grid=1 block=1 args=slots:u64[1]=undef
// launch: kernel=tally grid=3 block=1 args=slots:u64[1]=undef,total:u32[1]=0
// relation: sequential
// expect: clean
// final: total[0]==3
#include <cuda/semaphore>
#include <new>
using Slots = cuda::counting_semaphore<cuda::thread_scope_device, 2>;
constexpr int PERMITS = 1;

extern "C" __global__ void prepare(Slots *slots) { new (slots) Slots(PERMITS); }

extern "C" __global__ void tally(Slots *slots, unsigned *total)
{
    slots->acquire();
    *total += 1;
    slots->release();
}
