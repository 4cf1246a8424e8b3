// Slices of K add to one tile in turn; the turn is handed over before all threads have stored.
// launch: kernel=splitk grid=3 block=64 args=part:u32[192]=1,lock:u32[1]=0,d:u32[64]=0
// expect: clean
// final: d[t] == 3 for t=0..63
__device__ int fetch(const unsigned *p)
{
    unsigned v;
    asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}
extern "C" __global__ void splitk(const unsigned *part, unsigned *lock, unsigned *d)
{
    unsigned t = threadIdx.x, z = blockIdx.x;
    unsigned acc = part[z * 64 + t];
    int state = -1;
    if (t == 0) state = fetch(lock);
    while (__syncthreads_and(t == 0 ? state != (int)z : 1) ) {
        if (t == 0) state = fetch(lock);
    }
    __syncthreads();
    if (z > 0) acc += d[t];
    d[t] = acc;
     __syncthreads();
    if (t == 0)
        asm volatile("st.global.release.gpu.b32 [%0], %1;" ::"l"(lock), "r"(z + 1) : "memory");
}
