// The compiler's own atomics: the flag is stored relaxed.
// launch: kernel=publish coop=1 grid=2 block=1 args=flag:u32[1]=0,data:u32[1]=0,out:u32[1]=0
// expect: release-missing
// accept: data-race
// where: 10,15
// final: out[0]==42
extern "C" __global__ void publish(unsigned *flag, unsigned *data, unsigned *out)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __nv_atomic_store_n(flag, 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    } else {
        while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0)
            ;
        *out = *data;
    }
}
