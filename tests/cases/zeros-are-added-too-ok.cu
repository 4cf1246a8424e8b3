// All threads of a block add to a total, those beyond the end a zero, and read it behind a barrier.
// launch: kernel=total grid=1 block=64 args=x:s32[50]=2,n:s32=50,y:s32[64]=0
// expect: clean
// final: y[t]==100 for t=0..63
extern "C" __global__ void total(const int *x, int n, int *y)
{
    __shared__ int sum;
    int t = threadIdx.x;
    if (t == 0)
        sum = 0;
    __syncthreads();
    int mine = t < n ? x[t] : 0;
    atomicAdd(&sum, mine);
    __syncthreads();
    y[t] = sum;
}
