// All threads store data, and thread 0 fences and sets the flag, but there is no barrier between:
// the fence orders only what its own thread has done or seen.
// launch: kernel=leader_fence grid=2 block=64 args=data:u32[64]=0,flag:u32[1]=0,copy:u32[1]=48
// expect: no-synchronisation
// accept: barrier-missing,release-missing,fence-without-flag
// where: 12,19
// final: copy[0]==48
extern "C" __global__ void leader_fence(unsigned *data, unsigned *flag, unsigned *copy)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t;
        if (t == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else if (t == 0 && atomicAdd(flag, 0) == 1) {
        __threadfence();
        copy[0] = data[48];
    }
}
