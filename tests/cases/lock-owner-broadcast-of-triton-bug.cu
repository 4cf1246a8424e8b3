// Triton's lock: one thread takes it and tells the block through shared memory; the block gives it back before all have stored.
// launch: kernel=add coop=1 grid=2 block=64 args=lock:u32[1]=0,x:u32[64]=0
// expect: barrier-missing
// accept: data-race,lost-update
// where: 20,20
// final: x[t]==3 for t=0..63
extern "C" __global__ void add(unsigned *lock, unsigned *x)
{
    __shared__ unsigned told;
    unsigned t = threadIdx.x, seen = 1;
    do {
        if (t == 0)
            asm volatile("atom.global.acq_rel.gpu.cas.b32 %0, [%1], 0, 1;" : "=r"(seen) : "l"(lock) : "memory");
        if (t == 0)
            told = seen;
        __syncthreads();
        seen = told;
        __syncthreads();
    } while (seen != 0);
    x[t] += blockIdx.x + 1;
    if (t == 0)
        asm volatile("atom.global.acq_rel.gpu.exch.b32 %0, [%1], 0;" : "=r"(seen) : "l"(lock) : "memory");
}
