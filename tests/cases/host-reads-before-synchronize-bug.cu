// The host reads the result of a kernel that it has launched and not waited for.
// launch: kernel=compute device=0 grid=1 block=32 args=result:u32[1]=0
// launch: kernel=host_reads device=host grid=1 block=1 args=result:u32[1]=0,seen:u32[1]=0
// expect: no-synchronisation
// accept: stream-order-missing
// where: 12,17
// final: seen[0]==7
extern "C" __global__ void compute(unsigned *result)
{
    if (threadIdx.x != 0)
        return;
    result[0] = 7;
}

extern "C" __global__ void host_reads(const unsigned *result, unsigned *seen)
{
    seen[0] = result[0];
}
