// Repaired: each lane leaves the loop after its own number of rounds, but the vote in it names all
// lanes.
// launch: kernel=drain grid=1 block=32 args=n:u32[32]={0..31},rounds:u32[1]=0
// expect: clean
// final: rounds[0]==31
extern "C" __global__ void drain(const unsigned *n, unsigned *rounds)
{
    unsigned left = n[threadIdx.x], r = 0;
    while (__any_sync(0xffffffffu, left > 0)) {
        r++;
        if (left > 0)
        left--;
    }
    __syncwarp();
    if (threadIdx.x == 31)
        *rounds = r;
}
