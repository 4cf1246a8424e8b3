// The grid has more threads than the array has elements, and the kernel does not look.
// launch: kernel=fill grid=2 block=32 args=v:u32[50]=0,n:u32=50
// expect: out-of-bounds
// where: 9,9
// final: v[i]==i for i=0..49
extern "C" __global__ void fill(unsigned *v, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    v[i] = i;
}
