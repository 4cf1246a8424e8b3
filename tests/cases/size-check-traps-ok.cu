// Threads beyond the end leave.
// launch: kernel=scale grid=2 block=32 args=v:u32[40]=iota,n:u32=40
// expect: clean
// final: v[i]==3*i for i=0..39
extern "C" __global__ void scale(unsigned *v, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    v[i] *= 3;
}
