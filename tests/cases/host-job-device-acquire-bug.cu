// The host posts a job with system scope, but the kernel takes it with device scope, which the
// host is not in.
// launch: kernel=host_posts device=host grid=1 block=1 args=job:u32[2]=0,posted:u32[1]=0
// launch: kernel=gpu_takes device=0 grid=1 block=32 args=job:u32[2]=0,posted:u32[1]=0,result:u32[1]=30
// relation: concurrent
// expect: scope-too-narrow
// where: 13,15,23,25
// final: result[0]==30

// Stands for the thread of the CPU.
extern "C" __global__ void host_posts(unsigned *job, unsigned *posted)
{
    job[0] = 10;
    job[1] = 20;
    asm volatile("st.release.sys.global.u32 [%0], 1;" ::"l"(posted) : "memory");
}

extern "C" __global__ void gpu_takes(const unsigned *job, const unsigned *posted, unsigned *result)
{
    unsigned is_posted;
    if (threadIdx.x != 0)
        return;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(is_posted) : "l"(posted) : "memory");
    if (is_posted)
        result[0] = job[0] + job[1];
}
