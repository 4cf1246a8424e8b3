// The mbarrier expects all 64 threads, but only the producers' warp arrives; the consumers wait
// for ever.
// launch: kernel=feed grid=1 block=64 args=y:u32[32]=0
// expect: deadlock
// accept: livelock
// where: 24,24
// final: y[t]==t*t for t=0..31
#include <cuda/barrier>

extern "C" __global__ void feed(unsigned *y)
{
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(8) unsigned char room[sizeof(Barrier)];
    Barrier *full = reinterpret_cast<Barrier *>(room);
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x % 32;
    if (threadIdx.x == 0)
        init(full, 64);
    __syncthreads();
    if (threadIdx.x < 32) {
        s[t] = t * t;
        (void)full->arrive();
    } else {
        full->wait_parity(0);
        y[t] = s[t];
    }
}
