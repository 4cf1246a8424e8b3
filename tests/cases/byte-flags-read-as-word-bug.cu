// Two blocks set flags of one byte each, and a third reads all flags as one word; the accesses
// overlap only in part.
// launch: kernel=flags grid=3 block=32 args=set:u32[1]=0,seen:u32[1]=0
// expect: torn-access
// accept: no-synchronisation
// where: 13,15
// final: (seen[0] & 0xfffffefe)==0
extern "C" __global__ void flags(unsigned *set, unsigned *seen)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x < 2)
        ((unsigned char *)set)[blockIdx.x] = 1;
    else
        seen[0] = *(volatile unsigned *)set;
}
