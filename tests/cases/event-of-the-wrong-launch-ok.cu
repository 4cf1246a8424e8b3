// Repaired: the event that the second stream waits for was recorded between the two kernels of the
// first.
// launch: kernel=scale stream=1 grid=2 block=32 args=v=V:f32[64]=1,by:f32=2
// launch: kernel=scale stream=1 grid=2 block=32 args=v=V:f32[64]=1,by:f32=3
// launch: kernel=copy stream=2 after=2 grid=2 block=32 args=v=V:f32[64]=1,out:f32[64]=0
// expect: clean
// final: out[i]==6 for i=0..63
extern "C" __global__ void scale(float *v, float by)
{
    v[blockIdx.x * 32 + threadIdx.x] *= by;
}

extern "C" __global__ void copy(const float *v, float *out)
{
    unsigned i = blockIdx.x * 32 + threadIdx.x;
    out[i] = v[i];
}
