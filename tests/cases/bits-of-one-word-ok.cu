// The bits are set by atomicOr.
// launch: kernel=mark grid=2 block=32 args=mask:u32[1]=0
// expect: clean
// final: mask[0]==3
extern "C" __global__ void mark(unsigned *mask)
{
    if (threadIdx.x == 0)
        atomicOr(mask, 1u << blockIdx.x);
}
