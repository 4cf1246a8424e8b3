// The time is written by one 64-bit store.
// launch: kernel=stamp grid=2 block=32 args=time:u64[1]=0,seen:u64[1]=0
// expect: clean
// final: seen[0]==0 || seen[0]==0x100000002
extern "C" __global__ void stamp(volatile unsigned long long *time, unsigned long long *seen)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        time[0] = 0x100000002;
    } else {
        seen[0] = time[0];
    }
}
