// A tile is overwritten while others sum it up: a loop over data is no poll of a flag.
// launch: kernel=sums grid=1 block=64 args=in:f32[128]=1,out:f32[64]=0
// expect: barrier-missing
// where: 11,15
// final: out[i] == 128 for i=0..63
extern "C" __global__ void sums(const float *in, float *out)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int first = 0; first < 128; first += 64) {
        tile[threadIdx.x] = in[first + threadIdx.x];
        __syncthreads();
#pragma unroll 1
        for (int i = 0; i < 64; i++)
            sum += tile[i];
    }
    out[threadIdx.x] = sum;
}
