// A lock that is looked at before it is tried for. Nothing orders the sum before the lock is given back.
// launch: kernel=add_up grid=3 block=1 args=mutex:u32[1]=0,sum:u32[1]=0
// expect: release-missing
// accept: no-synchronisation,lost-update
// where: 16,16
// final: sum[0]==3
extern "C" __global__ void add_up(unsigned *mutex, unsigned *sum)
{
    for (;;) {
        while (*(volatile unsigned *)mutex != 0)
            ;
        if (atomicCAS(mutex, 0u, 1u) == 0u)
            break;
    }
    __threadfence();
    sum[0] += 1;
    atomicExch(mutex, 0u);
}
