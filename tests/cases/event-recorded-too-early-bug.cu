// The consumer's stream waits for an event that was recorded behind the first kernel of the
// producer's stream. The second kernel, which completes the data, is not waited for.
// launch: kernel=fill stream=1 grid=1 block=32 args=data:u32[32]=0
// launch: kernel=twice stream=1 grid=1 block=32 args=data:u32[32]=0
// launch: kernel=collect stream=2 after=1 grid=1 block=32 args=data:u32[32]=0,out:u32[32]=0
// expect: stream-order-missing
// accept: no-synchronisation
// where: 16,21
// final: out[t]==2*t for t=0..31
extern "C" __global__ void fill(unsigned *data)
{
    data[threadIdx.x] = threadIdx.x;
}
extern "C" __global__ void twice(unsigned *data)
{
    data[threadIdx.x] *= 2;
}

extern "C" __global__ void collect(const unsigned *data, unsigned *out)
{
    out[threadIdx.x] = data[threadIdx.x];
}
