// Two blocks set a bit each of one word by `|=`; one of the bits may be lost.
// launch: kernel=mark grid=2 block=32 args=mask:u32[1]=0
// expect: lost-update
// accept: no-synchronisation
// where: 10,10
// final: mask[0]==3
extern "C" __global__ void mark(unsigned *mask)
{
    if (threadIdx.x == 0)
        mask[0] |= 1u << blockIdx.x;
}
