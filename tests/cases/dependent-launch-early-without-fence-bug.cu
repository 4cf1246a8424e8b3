// The first kernel allows the second to start when its data is written, but without a fence
// before; the second reads the data without waiting for the end of the first.
// launch: kernel=prepare stream=0 grid=1 block=1 args=v:u32[1]=0
// launch: kernel=use stream=0 pdl=1 grid=1 block=1 args=v:u32[1]=0,w:u32[1]=0
// relation: pdl
// expect: stream-order-missing
// accept: release-missing,no-synchronisation
// where: 12,18
// final: w[0]==12
extern "C" __global__ void prepare(unsigned *v)
{
    v[0] = 12;
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

extern "C" __global__ void use(const unsigned *v, unsigned *w)
{
    w[0] = v[0];
    asm volatile("griddepcontrol.wait;" ::: "memory");
}
