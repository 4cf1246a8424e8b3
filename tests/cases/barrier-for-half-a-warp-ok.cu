// All threads reach both barriers.
// launch: kernel=even_work grid=1 block=32 args=y:u32[32]=0
// expect: clean
// final: y[t]==1 for t=0..31
extern "C" __global__ void even_work(unsigned *y)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x;
    s[t] = 0;
    if (t % 2 == 0) {
        s[t] = 1;
    }
    __syncthreads();
    if (t % 2 == 0)
        s[t + 1] = 1;
    __syncthreads();
    y[t] = s[31 - t];
}
