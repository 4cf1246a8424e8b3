// The host fills a job and rings; blocks look for the bell, and fence at device scope only.
// launch: kernel=cpu_feed device=host grid=1 block=1 shared=0 args=job:u64[2]=0,bell:u32[1]=0
// launch: kernel=gpu_poll device=0 grid=2 block=32 shared=0 args=job:u64[2]=0,bell:u32[1]=0,out:u64[2]=0
// relation: concurrent
// final: out[b]==b+70 for b=0..1
// expect: scope-too-narrow
// accept: data-race
// where: 11,21
extern "C" __global__ void cpu_feed(unsigned long long *job, unsigned *bell)
{
    job[0] = 70;
    job[1] = 71;
    asm volatile("st.release.sys.global.u32 [%0], 1;" ::"l"(bell) : "memory");
}
extern "C" __global__ void gpu_poll(unsigned long long *job, unsigned *bell, unsigned long long *out)
{
    if (threadIdx.x == 0) {
        while (*(volatile unsigned *)bell == 0)
            ;
        __threadfence();
        out[blockIdx.x] = job[blockIdx.x];
    }
}
