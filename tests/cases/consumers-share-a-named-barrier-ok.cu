// Repaired: both teams of two warps meet at barrier 1 with 64 threads, so that the barrier pairs
// warps of different teams.
// launch: kernel=two_teams grid=1 block=128 args=out:u32[64]=0
// expect: clean
// final: out[i]==(i<32?i:1000+i-32) for i=0..63
template <int ID, int THREADS> struct TeamBarrier {
    static __device__ void sync() { asm volatile("bar.sync %0, %1;" ::"n"(ID), "n"(THREADS) : "memory"); }
};

extern "C" __global__ void two_teams(unsigned *out)
{
    __shared__ unsigned box[2][32];
    unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32, team = warp / 2;
    if (warp % 2 == 0)
        box[team][lane] = team * 1000 + lane;
    if (team == 0)
        TeamBarrier<1, 64>::sync();
    else
        TeamBarrier<2, 64>::sync();
    if (warp % 2 == 1)
        out[team * 32 + lane] = box[team][lane];
}
