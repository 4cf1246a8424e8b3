// cudaStreamSynchronize() lies between the launch and the read of the host.
// launch: kernel=compute device=0 grid=1 block=32 args=result:u32[1]=0
// launch: kernel=host_reads device=host after=1 grid=1 block=1 args=result:u32[1]=0,seen:u32[1]=0
// expect: clean
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
