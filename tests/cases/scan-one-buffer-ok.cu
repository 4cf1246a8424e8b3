// Repaired: a scan with one barrier a step needs two buffers.
// launch: kernel=scan grid=1 block=64 args=x:u32[64]=1,out:u32[64]=0
// expect: clean
// final: out[i]==i+1 for i=0..63
template <typename T, unsigned N> struct Scan {
    T buffer[2][N];
    template <bool DOUBLE> __device__ T run(unsigned t, T v)
    {
        unsigned from = 0;
        buffer[0][t] = v;
        __syncthreads();
        for (unsigned d = 1; d < N; d *= 2) {
            unsigned to = DOUBLE ? 1 - from : from;
            T sum = buffer[from][t];
            if (t >= d)
                sum += buffer[from][t - d];
            buffer[to][t] = sum;
            __syncthreads();
            from = to;
        }
        return buffer[from][t];
    }
};

extern "C" __global__ void scan(const unsigned *x, unsigned *out)
{
    __shared__ Scan<unsigned, 64> s;
    unsigned t = threadIdx.x;
    out[t] = s.run<true>(t, x[t]);
}
