// cuda::barrier with arrive and wait apart. The token of the phase before is waited for.
// launch: kernel=relax grid=1 block=64 args=y:u32[64]=0
// expect: data-race
// where: 21,25
// final: y[i] == 64 - i for i=0..63
#include <cuda/barrier>
#include <cuda/std/utility>

extern "C" __global__ void relax(unsigned *y)
{
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(8) unsigned char room[sizeof(Barrier)];
    __shared__ unsigned value[64];
    Barrier *barrier = reinterpret_cast<Barrier *>(room);
    unsigned t = threadIdx.x;
    if (t == 0)
        init(barrier, 64);
    __syncthreads();
    auto first = barrier->arrive();
    barrier->wait(cuda::std::move(first));
    value[t] = t + 1;
    auto second = barrier->arrive();
    (void)second;
    barrier->wait_parity(0);
    y[t] = value[63 - t];
}
