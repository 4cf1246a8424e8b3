// Radix ranking: equal digits of a warp are found by match, and their first lane adds to the digit's count plainly; nothing lies between two rounds.
// launch: kernel=rank grid=1 block=32 args=digit:u32[64]={0*16,1*16,1*32},out:u32[64]=0
// expect: warp-sync-missing
// accept: data-race
// where: 17,19
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
        if (t == __ffs(mates) - 1)
            count[d] = before + __popc(mates);
        out[32 * round + t] = before + __popc(mates & ((1u << t) - 1));
    }
}
