// Two blocks add to one sum by atomicAdd_block(), which is atomic only among the threads of one
// block.
// launch: kernel=sum_up grid=2 block=32 args=sum:u32[1]=0
// expect: lost-update
// accept: scope-too-narrow
// where: 11,11
// final: sum[0]==30
extern "C" __global__ void sum_up(unsigned *sum)
{
    if (threadIdx.x == 0)
        atomicAdd_block(sum, 10 + 10 * blockIdx.x);
}
