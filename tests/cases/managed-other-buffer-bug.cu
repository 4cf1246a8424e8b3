// The host writes the next input to managed memory that the running kernel does not even know. On
// this machine it has to wait for the kernel all the same.
// machine: card-apart-from-host.machine
// launch: kernel=works device=0 grid=1 block=32 args=result:u32[32]=0
// launch: kernel=host_prepares device=host grid=1 block=1 args=next:u32[1]=0
// buffers: result=managed next=managed
// relation: concurrent
// expect: managed-in-use
// where: 17
extern "C" __global__ void works(unsigned *result)
{
    result[threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void host_prepares(unsigned *next)
{
    next[0] = 5;
}
