// A fence before the trigger publishes the data to the kernel that it lets start.
// launch: kernel=prepare stream=0 grid=1 block=1 args=v:u32[1]=0
// launch: kernel=use stream=0 pdl=1 grid=1 block=1 args=v:u32[1]=0,w:u32[1]=0
// relation: pdl
// expect: clean
// final: w[0]==12
extern "C" __global__ void prepare(unsigned *v)
{
    v[0] = 12;
    __threadfence();
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

extern "C" __global__ void use(const unsigned *v, unsigned *w)
{
    w[0] = v[0];
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
