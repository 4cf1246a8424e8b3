// A 64-bit time is written by two 32-bit stores and read by one 64-bit load, which may see one
// half old and one new.
// launch: kernel=stamp grid=2 block=32 args=time:u64[1]=0,seen:u64[1]=0
// expect: torn-access
// accept: no-synchronisation
// where: 14,15,17
// final: seen[0]==0 || seen[0]==0x100000002
extern "C" __global__ void stamp(volatile unsigned long long *time, unsigned long long *seen)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        volatile unsigned *half = (volatile unsigned *)time;
        half[0] = 2;
        half[1] = 1;
    } else {
        seen[0] = time[0];
    }
}
