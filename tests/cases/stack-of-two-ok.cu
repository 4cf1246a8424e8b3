// A push that finds no room is counted instead.
// launch: kernel=push grid=3 block=32 args=top:u32[1]=0,item:u32[2]=9,dropped:u32[1]=0
// expect: clean
// final: dropped[0]==1 && item[0]<3 && item[1]<3
extern "C" __global__ void push(unsigned *top, unsigned *item, unsigned *dropped)
{
    if (threadIdx.x != 0)
        return;
    unsigned place = atomicAdd(top, 1);
    if (place < 2)
        item[place] = blockIdx.x;
    else
        atomicAdd(dropped, 1);
}
