// The fence behind the lock is there. How long anybody slept makes no difference.
// launch: kernel=add_up grid=3 block=1 args=mutex:u32[1]=0,sum:u32[1]=0
// expect: clean
// final: sum[0]==3
extern "C" __global__ void add_up(unsigned *mutex, unsigned *sum)
{
    unsigned pause = 8;
    while (atomicCAS(mutex, 0u, 1u) != 0u) {
        __nanosleep(pause);
        if (pause < 256)
            pause *= 2;
    }
    __threadfence();
    sum[0] += 1;
    __threadfence();
    atomicExch(mutex, 0u);
}
