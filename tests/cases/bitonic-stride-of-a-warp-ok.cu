// Repaired: strides below 32 stay in a warp, but the step of stride 32 before them does not.
// launch: kernel=sort64 grid=1 block=64 args=keys:f32[64]={63..0}
// expect: clean
// final: keys[i]==i for i=0..63
extern "C" __global__ void sort64(float *keys)
{
    __shared__ float s[64];
    unsigned t = threadIdx.x;
    s[t] = keys[t];
    __syncthreads();
    for (unsigned k = 2; k <= 64; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned p = t ^ j;
            if (p > t) {
                float a = s[t], b = s[p];
                bool up = (t & k) == 0;
                if ((a > b) == up) {
                    s[t] = b;
                    s[p] = a;
                }
            }
            if (j == 1 || j == 32)
                __syncthreads();
            else
                __syncwarp();
        }
    keys[t] = s[t];
}
