// M25, the second of three classic mistakes: a fence without a partner. The writer has a fence
// between data and flag, but the reader has none between flag and data. The reads of the reader
// are not ordered, so that it may see the flag and old data.
// launch: kernel=publish grid=2 block=32 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=25
// expect: acquire-missing
// accept: fence-without-flag
// where: 14,18
// final: copy[0]==25
extern "C" __global__ void publish(unsigned *data, unsigned *flag, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 25;
        __threadfence();
        atomicExch(flag, 1);
    } else if (atomicAdd(flag, 0) == 1) {
        copy[0] = data[0];
    }
}
