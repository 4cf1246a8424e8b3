// The writer of a table fences after it and the reader fences before it, but there is no flag by
// which the reader would know that the writer is ahead: the fences order nothing.
// launch: kernel=lookup grid=2 block=32 args=table:u32[32]=iota,value:u32[1]=5
// expect: fence-without-flag
// accept: no-synchronisation
// where: 11,15
// final: value[0]==10
extern "C" __global__ void lookup(unsigned *table, unsigned *value)
{
    if (blockIdx.x == 0) {
        table[threadIdx.x] *= 2;
        __threadfence();
    } else if (threadIdx.x == 0) {
        __threadfence();
        value[0] = table[5];
    }
}
