// The load of the flag acquires for its own block only.
// launch: kernel=pass_on grid=2 block=32 args=data:f32[32]=0,flag:u32[1]=0,out:f32[32]=0
// expect: scope-too-narrow
// accept: scope-too-narrow
// where: 23,32
// final: out[i]==0.5*i for i=0..31
__device__ __forceinline__ void st_release(unsigned *p, unsigned v)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "r"(v) : "memory");
}

__device__ __forceinline__ unsigned ld_acquire(const unsigned *p)
{
    unsigned v;
    asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(v) : "l"(__cvta_generic_to_global(p)) : "memory");
    return v;
}

extern "C" __global__ void pass_on(float *data, unsigned *flag, float *out)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = 0.5f * t;
        __syncwarp();
        if (t == 0)
            st_release(flag, 1);
    } else {
        if (t == 0)
            while (!ld_acquire(flag))
                ;
        __syncwarp();
        out[t] = data[t];
    }
}
