// A kernel relaxes a grid in place; it is told that input and output do not overlap, and they do.
// launch: kernel=relax grid=2 block=32 args=x=A:u32[66]=iota,y=A:u32[66]=iota
// expect: nc-load-of-written-data
// accept: data-race
// where: 9
extern "C" __global__ void relax(const unsigned *__restrict__ x, unsigned *__restrict__ y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i + 1] = x[i] + x[i + 1] + x[i + 2];
}
