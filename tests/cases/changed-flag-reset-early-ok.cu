// Repaired: thread 0 clears the flag for the next round while others still test it.
// launch: kernel=relax grid=1 block=64 args=d:u32[64]={0,99*63},rounds:u32[1]=0
// expect: clean
// final: d[i]==(i<4?i:99) for i=0..63
extern "C" __global__ void relax(unsigned *d, unsigned *rounds)
{
    __shared__ unsigned dist[64];
    __shared__ bool changed;
    unsigned t = threadIdx.x;
    dist[t] = d[t];
    unsigned n = 0;
    while (true) {
        if (t == 0)
            changed = false;
        __syncthreads();
        unsigned best = dist[t];
        if (t > 0 && t < 4 && dist[t - 1] + 1 < best)
            best = dist[t - 1] + 1;
        __syncthreads();
        if (best < dist[t]) {
            dist[t] = best;
            changed = true;
        }
        __syncthreads();
        n++;
        if (!changed)
            break;
        __syncthreads();
    }
    d[t] = dist[t];
    if (t == 0)
        rounds[0] = n;
}
