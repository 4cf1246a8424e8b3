// Four floats are loaded at once from an address that is no multiple of 16 bytes.
// launch: kernel=copy4 grid=1 block=4 args=x:f32[17]=iota,y:f32[16]=0
// expect: misaligned
// where: 10,10
// final: y[i]==i+1 for i=0..15
extern "C" __global__ void copy4(const float *x, float *y)
{
    unsigned t = threadIdx.x;
    const float4 *from = reinterpret_cast<const float4 *>(x + 1);
    reinterpret_cast<float4 *>(y)[t] = from[t];
}
