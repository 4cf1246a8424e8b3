// A volatile counter is raised by `+ 1`: each access is performed, but another block may count
// between the load and the store.
// launch: kernel=count_blocks grid=3 block=32 args=blocks:u32[1]=0
// expect: lost-update
// accept: assert
// where: 11,11
// final: blocks[0]==3
extern "C" __global__ void count_blocks(volatile unsigned *blocks)
{
    if (threadIdx.x == 0)
        blocks[0] = blocks[0] + 1;
}
