// Data and flag are both volatile. Each access is performed, but nothing orders them, so that the
// flag may be seen before the data.
// launch: kernel=sensor grid=2 block=32 args=value:u32[1]=0,valid:u32[1]=0
// expect: stale-value
// accept: trap
// where: 13,16
// final: value[0]==7
extern "C" __global__ void sensor(volatile unsigned *value, volatile unsigned *valid)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        value[0] = 7;
        valid[0] = 1;
    } else if (valid[0] == 1) {
        if (value[0] != 7)
            __trap();
    }
}
// run: weak
