// The storage of a scan and of an exchange is one union, which is used for the exchange while others scan.
// launch: kernel=rank grid=1 block=64 args=x:u32[64]=1,out:u32[64]=0
// expect: barrier-missing
// accept: data-race
// where: 22,23
// final: out[t]==63-t for t=0..63
union Storage {
    struct { unsigned of_warp[2], before[2]; } scan;
    unsigned exchange[64];
};
extern "C" __global__ void rank(const unsigned *x, unsigned *out)
{
    __shared__ Storage s;
    unsigned t = threadIdx.x, lane = t & 31, warp = t >> 5, sum = x[t];
    for (unsigned d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(~0u, sum, d);
        sum += lane >= d ? other : 0;
    }
    if (lane == 31)
        s.scan.of_warp[warp] = sum;
    __syncthreads();
    unsigned rank = sum - x[t] + (warp ? s.scan.of_warp[0] : 0);
    s.exchange[rank] = t;
    __syncthreads();
    out[t] = s.exchange[63 - t];
}
