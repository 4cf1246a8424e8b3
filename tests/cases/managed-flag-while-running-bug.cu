// The host tells a kernel that runs to stop, by a flag in managed memory, on a machine where the
// host must not touch managed memory as long as any kernel runs.
// machine: card-apart-from-host.machine
// launch: kernel=host_stops device=host grid=1 block=1 args=stop:u32[1]=0
// launch: kernel=works device=0 grid=1 block=32 args=stop:u32[1]=0
// buffers: stop=managed
// relation: concurrent
// expect: managed-in-use
// accept: not-atomic-here
// where: 13
extern "C" __global__ void host_stops(unsigned *stop)
{
    asm volatile("st.relaxed.sys.u32 [%0], 1;" ::"l"(stop) : "memory");
}

extern "C" __global__ void works(const unsigned *stop)
{
    unsigned seen;
    if (threadIdx.x != 0)
        return;
    do
        asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(seen) : "l"(stop) : "memory");
    while (!seen);
}
