// Warps take rows from a counter; the first lane tells the others which. A row begins one element too early, so that
// neighbours write to the same place.
// launch: kernel=rows grid=3 block=32 args=next:u32[1]=0,count:u32=5,out:u32[256]=0
// expect: no-synchronisation
// where: 15,15
extern "C" __global__ void rows(unsigned *next, unsigned count, unsigned *out)
{
    for (;;) {
        unsigned row;
        if (threadIdx.x == 0)
            row = atomicAdd(next, 1u);
        row = __shfl_sync(0xffffffff, row, 0);
        if (row >= count)
            break;
        out[row * 31 + threadIdx.x] = row;
    }
}
