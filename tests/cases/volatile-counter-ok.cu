// The counter is raised by one atomic operation.
// launch: kernel=count_blocks grid=3 block=32 args=blocks:u32[1]=0
// expect: clean
// final: blocks[0]==3
extern "C" __global__ void count_blocks(unsigned *blocks)
{
    if (threadIdx.x == 0)
        atomicAdd(blocks, 1);
}
