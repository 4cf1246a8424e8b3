// Each thread counts by the function that a table names for it. One of the two adds without an atomic
// operation, to a counter that all threads use.
// launch: kernel=dispatch grid=2 block=32 args=counts:u32[2]=0
// expect: data-race
// accept: lost-update
// where: 15,15
// final: counts[0] == 32 && counts[1] == 32
typedef void (*Handler)(unsigned *);

__device__ __noinline__ void count_even(unsigned *counts)
{
    atomicAdd(&counts[0], 1u);
}
__device__ __noinline__ void count_odd(unsigned *counts) {
    counts[1] = counts[1] + 1;
}
__device__ Handler handlers[2] = {count_even, count_odd};

extern "C" __global__ void dispatch(unsigned *counts)
{
    handlers[threadIdx.x & 1](counts);
}
