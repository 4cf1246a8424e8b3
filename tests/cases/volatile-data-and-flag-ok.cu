// Fences lie between data and flag on both sides.
// launch: kernel=sensor grid=2 block=32 args=value:u32[1]=0,valid:u32[1]=0
// expect: clean
// final: value[0]==7
extern "C" __global__ void sensor(volatile unsigned *value, volatile unsigned *valid)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        value[0] = 7;
        __threadfence();
        valid[0] = 1;
    } else if (valid[0] == 1) {
        __threadfence();
        if (value[0] != 7)
            __trap();
    }
}
