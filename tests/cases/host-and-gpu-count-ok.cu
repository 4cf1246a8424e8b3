// Each side has a word that only it writes; loads and stores of pinned memory are always atomic.
// machine: card-apart-from-host.machine
// launch: kernel=host_counts device=host grid=1 block=1 args=jobs:u32[2]=0,seen:u32[1]=0
// launch: kernel=gpu_counts device=0 grid=1 block=32 args=jobs:u32[2]=0
// relation: concurrent
// expect: clean
// final: jobs[0]+jobs[1]==3 && (seen[0]==1 || seen[0]==3)
__device__ static unsigned load(const unsigned *word)
{
    unsigned value;
    asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}

__device__ static void store(unsigned *word, unsigned value)
{
    asm volatile("st.relaxed.sys.u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
}

extern "C" __global__ void host_counts(unsigned *jobs, unsigned *seen)
{
    store(&jobs[0], load(&jobs[0]) + 1);
    seen[0] = load(&jobs[0]) + load(&jobs[1]);
}

extern "C" __global__ void gpu_counts(unsigned *jobs)
{
    if (threadIdx.x == 0)
        store(&jobs[1], load(&jobs[1]) + 2);
}
