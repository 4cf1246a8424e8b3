// The second kernel waits first.
// launch: kernel=first stream=0 grid=1 block=32 args=v:u32[32]=0
// launch: kernel=second stream=0 pdl=1 grid=1 block=32 args=v:u32[32]=0,w:u32[32]=0
// relation: pdl
// expect: clean
// final: w[i]==10*i for i=0..31
extern "C" __global__ void first(unsigned *v)
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    v[threadIdx.x] = 10 * threadIdx.x;
}

extern "C" __global__ void second(const unsigned *v, unsigned *w)
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
    unsigned x = v[threadIdx.x];
    w[threadIdx.x] = x;
}
