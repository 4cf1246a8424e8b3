// The warp meets behind each access of a round.
// launch: kernel=rank grid=1 block=32 args=digit:u32[64]={0*16,1*16,1*32},out:u32[64]=0
// expect: clean
// final: out[0]==0 && out[16]==0 && out[32]==16
extern "C" __global__ void rank(const unsigned *digit, unsigned *out)
{
    __shared__ unsigned count[2];
    unsigned t = threadIdx.x;
    if (t < 2)
        count[t] = 0;
    __syncwarp();
    for (unsigned round = 0; round < 2; round++) {
        unsigned d = digit[32 * round + t];
        unsigned mates = __match_any_sync(~0u, d);
        unsigned before = count[d];
        __syncwarp();
        if (t == __ffs(mates) - 1)
            count[d] = before + __popc(mates);
        __syncwarp();
        out[32 * round + t] = before + __popc(mates & ((1u << t) - 1));
    }
}
