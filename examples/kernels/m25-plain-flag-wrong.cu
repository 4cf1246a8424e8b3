// M25, the first of three classic mistakes: the flag is a plain word. Its write and its read race
// with each other, and they order nothing. The reader may see the flag and old data.
// launch: kernel=publish grid=2 block=32 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=25
// expect: plain-flag
// accept: no-synchronisation
// where: 13,14,15,16
// final: copy[0]==25
extern "C" __global__ void publish(unsigned *data, unsigned *flag, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        data[0] = 25;
        flag[0] = 1;
    } else if (flag[0] == 1) {
        copy[0] = data[0];
    }
}
