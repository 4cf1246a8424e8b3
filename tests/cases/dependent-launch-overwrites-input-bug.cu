// The second kernel clears, before it waits, a buffer that the first kernel may still be reading.
// launch: kernel=copy_out stream=0 grid=1 block=32 args=work:u32[32]=iota,saved:u32[32]=0
// launch: kernel=clear stream=0 pdl=1 grid=1 block=32 args=work:u32[32]=iota
// relation: pdl
// expect: stream-order-missing
// accept: no-synchronisation
// where: 12,17
// final: saved[i]==i && work[i]==0 for i=0..31
extern "C" __global__ void copy_out(const unsigned *work, unsigned *saved)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    saved[threadIdx.x] = work[threadIdx.x];
}

extern "C" __global__ void clear(unsigned *work)
{
    work[threadIdx.x] = 0;
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
