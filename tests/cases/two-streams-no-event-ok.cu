// Both kernels are in one stream, which runs them in order.
// launch: kernel=produce stream=1 grid=1 block=32 args=v:u32[32]=0
// launch: kernel=consume stream=1 grid=1 block=32 args=v:u32[32]=0,w:u32[32]=0
// relation: sequential
// expect: clean
// final: w[i]==i+1 for i=0..31
extern "C" __global__ void produce(unsigned *v)
{
    v[threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void consume(const unsigned *v, unsigned *w)
{
    w[threadIdx.x] = v[threadIdx.x] + 1;
}
