// The third kernel depends on both that fill the array; what they wrote is in order before it.
// launch: kernel=fill stream=1 grid=1 block=32 args=half=left:u32[32]=0,value:u32=1
// launch: kernel=fill stream=2 grid=1 block=32 args=half=right:u32[32]=0,value:u32=2
// launch: kernel=add stream=3 after=1,2 grid=1 block=32 args=left:u32[32]=0,right:u32[32]=0,sum:u32[32]=0
// expect: clean
// final: sum[t]==3 for t=0..31
extern "C" __global__ void fill(unsigned *half, unsigned value)
{
    half[threadIdx.x] = value;
}

extern "C" __global__ void add(const unsigned *left, const unsigned *right, unsigned *sum)
{
    sum[threadIdx.x] = left[threadIdx.x] + right[threadIdx.x];
}
