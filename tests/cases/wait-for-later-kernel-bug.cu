// The first kernel of a stream waits for a flag that the second one sets, but the second starts
// only when the first has ended.
// launch: kernel=wait_for_flag stream=0 grid=1 block=32 args=flag:u32[1]=0,passed:u32[1]=0
// launch: kernel=set_flag stream=0 grid=1 block=32 args=flag:u32[1]=0
// relation: sequential
// expect: deadlock
// accept: livelock
// where: 14,14
// final: passed[0]==1
extern "C" __global__ void wait_for_flag(volatile unsigned *flag, unsigned *passed)
{
    if (threadIdx.x != 0)
        return;
    while (flag[0] == 0)
        ;
    passed[0] = 1;
}

extern "C" __global__ void set_flag(volatile unsigned *flag)
{
    if (threadIdx.x == 0)
        flag[0] = 1;
}
