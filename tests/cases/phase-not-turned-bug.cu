// The producer turns its phase bit each round, the consumer does not.
// launch: kernel=relay grid=1 block=64 shared=0 args=o:s32[96]=0
// final: o[i]==i for i=0..95
// expect: data-race
// where: 29,34
__device__ unsigned sp(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ bool try_parity(unsigned b, unsigned ph)
{
    int ok;
    asm volatile("{ .reg .pred P;\n mbarrier.test_wait.parity.shared.b64 P, [%1], %2;\n selp.s32 %0, 1, 0, P; }" : "=r"(ok) : "r"(b), "r"(ph) : "memory");
    return ok;
}
__device__ void arrive(unsigned b) { asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(b) : "memory"); }
extern "C" __global__ void relay(int *o)
{
    __shared__ alignas(8) unsigned long long full, empty;
    __shared__ int v[32];
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(sp(&full)));
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(sp(&empty)));
    }
    __syncthreads();
    unsigned ph = 0;
    for (int k = 0; k < 3; ++k) {
        if (w == 0) {
            while (!try_parity(sp(&empty), ph ^ 1))
                ;
            v[l] = 32 * k + l;
            arrive(sp(&full));
        } else {
            while (!try_parity(sp(&full), ph))
                ;
            o[32 * k + l] = v[l];
            arrive(sp(&empty));
        }
        ph = w == 0 ? ph ^ 1 : ph;
    }
}
// run: no, most runs end in the deadlock that comes of it
