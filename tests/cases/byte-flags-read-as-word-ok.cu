// The flags are bits that are set and read by atomics on the word.
// launch: kernel=flags grid=3 block=32 args=set:u32[1]=0,seen:u32[1]=0
// expect: clean
// final: (seen[0] & 0xfffffefe)==0
extern "C" __global__ void flags(unsigned *set, unsigned *seen)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x < 2)
        atomicOr(set, 1u << 8 * blockIdx.x);
    else
        seen[0] = atomicOr(set, 0);
}
