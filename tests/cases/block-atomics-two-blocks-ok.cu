// The addition is atomic for the whole device.
// launch: kernel=sum_up grid=2 block=32 args=sum:u32[1]=0
// expect: clean
// final: sum[0]==30
extern "C" __global__ void sum_up(unsigned *sum)
{
    if (threadIdx.x == 0)
        atomicAdd(sum, 10 + 10 * blockIdx.x);
}
