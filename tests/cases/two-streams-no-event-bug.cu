// Producer and consumer are launched into different streams, and nothing makes one wait for the
// other.
// launch: kernel=produce stream=1 grid=1 block=32 args=v:u32[32]=0
// launch: kernel=consume stream=2 grid=1 block=32 args=v:u32[32]=0,w:u32[32]=0
// relation: concurrent
// expect: stream-order-missing
// where: 11,16
// final: w[i]==i+1 for i=0..31
extern "C" __global__ void produce(unsigned *v)
{
    v[threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void consume(const unsigned *v, unsigned *w)
{
    w[threadIdx.x] = v[threadIdx.x] + 1;
}
