// One kernel counts by relaxed atomics, which is enough, but another reads the counts in a second
// stream.
// launch: kernel=histogram stream=1 grid=2 block=32 args=x:u8[64]=iota,bin:u32[4]=0
// launch: kernel=shares stream=2 grid=1 block=4 args=bin:u32[4]=0,share:u32[4]=0
// relation: concurrent
// expect: stream-order-missing
// accept: no-synchronisation
// where: 12,17
// final: share[b]==25 for b=0..3
extern "C" __global__ void histogram(const unsigned char *x, unsigned *bin)
{
    atomicAdd(&bin[x[32 * blockIdx.x + threadIdx.x] % 4], 1);
}

extern "C" __global__ void shares(const unsigned *bin, unsigned *share)
{
    share[threadIdx.x] = 100 * bin[threadIdx.x] / 64;
}
