// The array is smoothed in place. The block barrier protects the inner elements, but the first
// thread of a block reads the last element of its left neighbour, which that block overwrites.
// launch: kernel=smooth grid=2 block=32 args=u:u32[64]=iota
// expect: no-synchronisation
// where: 10,13
// final: u[i]==2*i-1 for i=1..63
extern "C" __global__ void smooth(unsigned *u)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned left = i > 0 ? u[i - 1] : 0;
    unsigned sum = left + u[i];
    __syncthreads();
    u[i] = sum;
}
