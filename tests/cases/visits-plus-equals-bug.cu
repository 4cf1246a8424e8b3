// Two blocks count a visit by `+= 1`, which is a plain load and a plain store.
// launch: kernel=visit grid=2 block=32 args=visits:u32[1]=0
// expect: lost-update
// accept: no-synchronisation
// where: 10,10
// final: visits[0]==2
extern "C" __global__ void visit(unsigned *visits)
{
    if (threadIdx.x == 0)
        visits[0] += 1;
}
