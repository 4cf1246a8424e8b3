// Repaired: the joining stream waits for the event of one of the two streams.
// launch: kernel=fill stream=1 grid=1 block=32 args=a=A:u32[32]=0,v:u32=1
// launch: kernel=fill stream=2 grid=1 block=32 args=a=B:u32[32]=0,v:u32=2
// launch: kernel=join stream=3 after=1,2 grid=1 block=32 args=a=A:u32[32]=0,b=B:u32[32]=0,out:u32[32]=0
// expect: clean
// final: out[i]==3 for i=0..31
extern "C" __global__ void fill(unsigned *a, unsigned v) { a[threadIdx.x] = v; }

extern "C" __global__ void join(const unsigned *a, const unsigned *b, unsigned *out)
{
    out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
