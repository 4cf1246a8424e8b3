// __threadfence() on both sides orders the data, but the flag itself is still written and read by
// plain accesses, which race.
// launch: kernel=post grid=2 block=32 args=text:u32[1]=0,flag:u32[1]=0,copy:u32[1]=8
// expect: plain-flag
// accept: no-synchronisation
// where: 15,16
// final: copy[0]==8
extern "C" __global__ void post(unsigned *text, unsigned *flag, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        text[0] = 8;
        __threadfence();
        flag[0] = 1;
    } else if (flag[0]) {
        __threadfence();
        copy[0] = text[0];
    }
}
// run: no, data behind a plain flag is taken as unordered, too
