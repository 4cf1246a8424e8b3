// The kernel insists on whole blocks and traps, but the launch has 40 elements for 64 threads.
// launch: kernel=scale grid=2 block=32 args=v:u32[40]=iota,n:u32=40
// expect: trap
// where: 10,10
// final: v[i]==3*i for i=0..39
extern "C" __global__ void scale(unsigned *v, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        __trap();
    v[i] *= 3;
}
