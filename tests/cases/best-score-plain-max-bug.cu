// The leaders of two blocks compare and store the best score by plain accesses; one may overwrite
// the better score of the other.
// launch: kernel=best_score grid=2 block=32 args=score:u32[64]=iota,best:u32[1]=0
// expect: no-synchronisation
// accept: lost-update
// where: 13,14
// final: best[0]==63
extern "C" __global__ void best_score(const unsigned *score, unsigned *best)
{
    unsigned mine = score[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned top = __reduce_max_sync(0xffffffffu, mine);
    if (threadIdx.x == 0) {
        if (top > best[0])
            best[0] = top;
    }
}
