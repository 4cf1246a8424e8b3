// Texels by point sampling: what an H200 gives for coordinates within the texture, at its borders, and
// outside of it. Channels that the texture does not have are 0.
// launch: kernel=sample grid=1 block=7 args=f=a:f32[4,2]:tex2d=iota,s=b:s8[4,2]:tex2d={0..3,-4..-7},x:f32[7]={0,0.999,1,2.75,4,-0.25,-7},y:f32[7]={0,0.5,1,1.5,2,0,-3},out:s32[28]=9
// expect: clean
// final: out[0] == 0 && out[1] == 0 && out[2] == 5 && out[3] == 6 && out[4] == 7 && out[5] == 0 && out[6] == 0
// final: out[7] == 0 && out[8] == 0 && out[9] == -5 && out[10] == -6 && out[11] == -7 && out[12] == 0
// final: out[14+i] == 0 for i=0..13
extern "C" __global__ void sample(cudaTextureObject_t f, cudaTextureObject_t s, const float *x, const float *y, int *out)
{
    int i = threadIdx.x, a, b, c, d;
    out[i] = (int)tex2D<float>(f, x[i], y[i]);
    asm("tex.2d.v4.s32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
        : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(s), "f"(x[i]), "f"(y[i]));
    out[7 + i] = a;
    out[14 + i] = b + c;
    out[21 + i] = d;
}
