// Persistent blocks take tiles by a counter; each one that finds none left sets it back for the next launch.
// launch: kernel=persistent coop=1 grid=3 block=32 args=next:u32[1]=0,finished:u32[1]=0,hits:u32[2]=0
// expect: data-race
// accept: lost-update,livelock
// where: 12,17
// final: hits[0]==1 && hits[1]==1 && next[0]==0 && finished[0]==0
extern "C" __global__ void persistent(unsigned *next, unsigned *finished, unsigned *hits)
{
    if (threadIdx.x != 0)
        return;
    for (;;) {
        unsigned tile = atomicAdd(next, 1);
        if (tile >= 2)
            break;
        atomicAdd(&hits[tile], 1);
    }
    *next = 0;
}
