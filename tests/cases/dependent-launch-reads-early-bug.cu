// The second kernel is launched before the first one ends and loads its input before it waits for
// the first kernel.
// launch: kernel=first stream=0 grid=1 block=32 args=v:u32[32]=0
// launch: kernel=second stream=0 pdl=1 grid=1 block=32 args=v:u32[32]=0,w:u32[32]=0
// relation: pdl
// expect: stream-order-missing
// accept: no-synchronisation
// where: 13,18
// final: w[i]==10*i for i=0..31
extern "C" __global__ void first(unsigned *v)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    v[threadIdx.x] = 10 * threadIdx.x;
}

extern "C" __global__ void second(const unsigned *v, unsigned *w)
{
    unsigned x = v[threadIdx.x];
    asm volatile("griddepcontrol.wait;" ::: "memory");
    w[threadIdx.x] = x;
}
