// Two consumers wait at one full barrier, the count has room for one: which of them gets an item is
// open.
// launch: kernel=feed grid=1 block=96 args=out:u32[64]=0
// expect: deadlock
// accept: data-race,barrier-mismatch
// where: 13,15,19
// final: out[i]==i for i=0..63
extern "C" __global__ void feed(unsigned *out)
{
    __shared__ unsigned item[2][32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (warp == 2) {
        item[0][lane] = lane;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        item[1][lane] = 32 + lane;
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
        out[32 * warp + lane] = item[warp][lane];
    }
}
