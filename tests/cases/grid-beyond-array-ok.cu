// The kernel compares the index with the size.
// launch: kernel=fill grid=2 block=32 args=v:u32[50]=0,n:u32=50
// expect: clean
// final: v[i]==i for i=0..49
extern "C" __global__ void fill(unsigned *v, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = i;
}
