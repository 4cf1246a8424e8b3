// The host and the GPU count in one word of pinned memory, on a machine without native atomics
// there: what the one adds, the other may overwrite.
// machine: card-apart-from-host.machine
// launch: kernel=host_counts device=host grid=1 block=1 args=jobs:u32[1]=0
// launch: kernel=gpu_counts device=0 grid=1 block=32 args=jobs:u32[1]=0
// relation: concurrent
// expect: not-atomic-here
// where: 11,17
extern "C" __global__ void host_counts(unsigned *jobs)
{
    atomicAdd_system(jobs, 1);
}

extern "C" __global__ void gpu_counts(unsigned *jobs)
{
    if (threadIdx.x == 0)
        atomicAdd_system(jobs, 2);
}
