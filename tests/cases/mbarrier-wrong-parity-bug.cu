// The consumers wait for parity 1, which counts as over before the first phase begins, so that
// they read at once.
// launch: kernel=consume_phase grid=1 block=64 args=y:u32[32]=0
// expect: data-race
// accept: deadlock
// where: 21,24,25
// final: y[t]==t+9 for t=0..31
#include <cuda/barrier>

extern "C" __global__ void consume_phase(unsigned *y)
{
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(8) unsigned char room[sizeof(Barrier)];
    Barrier *full = reinterpret_cast<Barrier *>(room);
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x % 32;
    if (threadIdx.x == 0)
        init(full, 32);
    __syncthreads();
    if (threadIdx.x < 32) {
        s[t] = t + 9;
        (void)full->arrive();
    } else {
        full->wait_parity(1);
        y[t] = s[t];
    }
}
