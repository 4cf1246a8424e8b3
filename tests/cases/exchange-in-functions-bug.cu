// A block turns an array round through shared memory, by functions that are not inlined. The function
// that takes does not wait for the one that puts: the barrier between them was left out.
// launch: kernel=turn_round grid=1 block=64 args=x:u32[64]=iota
// expect: data-race
// accept: uninitialised
// where: 12,16
// final: x[i] == 63 - i for i=0..63
__shared__ unsigned board[64];

__device__ __noinline__ void put(unsigned where, unsigned value)
{
    board[where] = value;
}
__device__ __noinline__ unsigned take(unsigned where)
{
    return board[where];
}
extern "C" __global__ void turn_round(unsigned *x)
{
    put(threadIdx.x, x[threadIdx.x]);
    x[threadIdx.x] = take(63 - threadIdx.x);
}
