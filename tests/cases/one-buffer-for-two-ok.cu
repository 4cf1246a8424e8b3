// The rounds use the two buffers in turn, so that one barrier is enough.
// launch: kernel=rounds_of_two grid=1 block=64 args=x:u32[192]=iota,y:u32[64]=0
// expect: clean
// final: y[t]==3*(63-t)+192 for t=0..63
extern "C" __global__ void rounds_of_two(const unsigned *x, unsigned *y)
{
    __shared__ unsigned tile[2][64];
    unsigned t = threadIdx.x, sum = 0;
    for (unsigned k = 0; k < 3; k++) {
        unsigned *now = tile[k % 2];
        now[t] = x[64 * k + t];
        __syncthreads();
        sum += now[63 - t];
    }
    y[t] = sum;
}
