// The GPU answers behind a fence of system scope.
// launch: kernel=host_asks device=host grid=1 block=1 args=turn:u32[1]=0,question:u32[1]=0,answer:u32[1]=0,result:u32[1]=0
// launch: kernel=gpu_answers device=0 grid=1 block=32 args=turn:u32[1]=0,question:u32[1]=0,answer:u32[1]=0
// relation: concurrent
// expect: clean
// final: result[0]==49
__device__ static void wait_for(const unsigned *turn, unsigned goal)
{
    unsigned seen;
    do
        asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(seen) : "l"(turn) : "memory");
    while (seen != goal);
}

// Stands for the thread of the CPU.
extern "C" __global__ void host_asks(unsigned *turn, unsigned *question, unsigned *answer, unsigned *result)
{
    question[0] = 7;
    asm volatile("st.release.sys.u32 [%0], 1;" ::"l"(turn) : "memory");
    wait_for(turn, 2);
    result[0] = answer[0];
}

extern "C" __global__ void gpu_answers(unsigned *turn, const unsigned *question, unsigned *answer)
{
    if (threadIdx.x != 0)
        return;
    wait_for(turn, 1);
    answer[0] = question[0] * question[0];
    __threadfence_system();
    *(volatile unsigned *)turn = 2;
}
