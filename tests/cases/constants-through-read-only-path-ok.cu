// A kernel relaxes a grid from one buffer to another one.
// launch: kernel=relax grid=2 block=32 args=x=A:u32[66]=iota,y=B:u32[66]=0
// expect: clean
extern "C" __global__ void relax(const unsigned *__restrict__ x, unsigned *__restrict__ y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i + 1] = x[i] + x[i + 1] + x[i + 2];
}
