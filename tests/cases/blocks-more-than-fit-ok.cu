// The blocks take tickets, and each waits for smaller tickets only: their blocks have begun.
// launch: kernel=in_turn grid=4 block=32 resident=2 args=ticket:u32[1]=0,turn:u32[1]=0,y:u32[4]=0
// expect: clean
// final: y[0]+y[1]+y[2]+y[3]==6
extern "C" __global__ void in_turn(unsigned *ticket, unsigned *turn, unsigned *y)
{
    if (threadIdx.x != 0)
        return;
    unsigned mine = atomicAdd(ticket, 1);
    while (*(volatile unsigned *)turn != mine)
        ;
    __threadfence();
    y[blockIdx.x] = mine;
    __threadfence();
    atomicAdd(turn, 1);
}
