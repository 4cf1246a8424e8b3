// The loads start at the beginning of the array.
// launch: kernel=copy4 grid=1 block=4 args=x:f32[17]=iota,y:f32[16]=0
// expect: clean
// final: y[i]==i for i=0..15
extern "C" __global__ void copy4(const float *x, float *y)
{
    unsigned t = threadIdx.x;
    const float4 *from = reinterpret_cast<const float4 *>(x);
    reinterpret_cast<float4 *>(y)[t] = from[t];
}
