// The visits are counted by atomicAdd.
// launch: kernel=visit grid=2 block=32 args=visits:u32[1]=0
// expect: clean
// final: visits[0]==2
extern "C" __global__ void visit(unsigned *visits)
{
    if (threadIdx.x == 0)
        atomicAdd(visits, 1);
}
