// A fence lies before the store that gives the lock back.
// launch: kernel=add coop=1 grid=2 block=1 args=lock:u16[2]=0,sum:u32[1]=0
// expect: clean
// final: sum[0]==3
extern "C" __global__ void add(unsigned short *lock, unsigned *sum)
{
    while (atomicCAS(lock, (unsigned short)0, (unsigned short)1) != 0)
        ;
    __threadfence();
    *sum += blockIdx.x + 1;
    __threadfence();
    *(volatile unsigned short *)lock = 0;
}
