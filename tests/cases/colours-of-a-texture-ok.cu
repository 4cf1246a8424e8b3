// Texels of four and of two channels, in one and three dimensions; halves, and bytes that are read as
// parts of 255.
// launch: kernel=colours grid=1 block=4 args=line=a:u8[4,4]:tex1d=iota,solid=b:f16[2,2,3,2]:tex3d=iota,out:u32[16]=0,sums:f32[4]=0,part:f32[4]=0
// expect: clean
// final: out[i] == i for i=0..15
// final: sums[i] == 2 * (i % 2 + 2 * (i / 2) + 6) * 2 + 1 for i=0..3
// final: part[0] > 0.0039215 && part[0] < 0.0039216 && part[3] > 0.0509803 && part[3] < 0.0509804
extern "C" __global__ void colours(cudaTextureObject_t line, cudaTextureObject_t solid, unsigned *out, float *sums, float *part)
{
    int i = threadIdx.x;
    unsigned r, g, b, a;
    asm("tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5}];" : "=r"(r), "=r"(g), "=r"(b), "=r"(a) : "l"(line), "r"(i));
    out[4 * i] = r;
    out[4 * i + 1] = g;
    out[4 * i + 2] = b;
    out[4 * i + 3] = a;
    // z = 1 (and a half), y = 0 or 1, x = 0 or 1
    float2 texel = tex3D<float2>(solid, i % 2, i / 2, 1.5f);
    sums[i] = texel.x + texel.y;
    float f, x, y, z;
    asm("tex.1d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5}];" : "=f"(f), "=f"(x), "=f"(y), "=f"(z) : "l"(line), "f"(i + 0.5f));
    part[i] = x;
}
