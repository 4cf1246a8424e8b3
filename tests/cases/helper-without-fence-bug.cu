// A helper function, which is called and not inlined, publishes a result without a fence.
// launch: kernel=call_helper grid=2 block=32 args=box:u32[2]=0,copy:u32[1]=33
// expect: release-missing
// accept: volatile-flag
// where: 9,21
// final: copy[0]==33
__device__ __noinline__ void publish(unsigned *box, unsigned value)
{
    box[0] = value;
    *(volatile unsigned *)&box[1] = 1;
}

extern "C" __global__ void call_helper(unsigned *box, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        publish(box, 33);
    } else if (*(volatile unsigned *)&box[1] == 1) {
        __threadfence();
        copy[0] = box[0];
    }
}
