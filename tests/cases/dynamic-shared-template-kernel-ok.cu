// Repaired: the last steps of the unrolled reduction are of one warp, but the step of 32 is not
// waited for.
// launch: kernel="reduce<float, 64>" grid=2 block=64 shared=256 args=x:f32[128]=1,out:f32[2]=0
// expect: clean
// final: out[b]==64 for b=0..1
template <typename T> struct SharedMemory {
    __device__ operator T *()
    {
        extern __shared__ int memory[];
        return reinterpret_cast<T *>(memory);
    }
};

template <typename T, unsigned THREADS> __global__ void reduce(const T *x, T *out)
{
    T *s = SharedMemory<T>();
    unsigned t = threadIdx.x;
    s[t] = x[blockIdx.x * THREADS + t];
    if constexpr (THREADS >= 128) {
        __syncthreads();
        if (t < 64)
            s[t] += s[t + 64];
    }
    __syncthreads();
    if (t < 32) {
        T v = s[t] + s[t + 32];
        for (int d = 16; d; d /= 2)
            v += __shfl_down_sync(0xffffffff, v, d);
        if (t == 0)
            out[blockIdx.x] = v;
    }
}
template __global__ void reduce<float, 64>(const float *, float *);
