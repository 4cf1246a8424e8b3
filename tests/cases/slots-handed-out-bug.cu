// Threads take slots of a list from a counter in shared memory, and read its length too early.
// launch: kernel=positives grid=1 block=6 args=x:s32[6]={3,-1,4,-2,5,6},list:s32[6]=0,length:u32[6]=0
// expect: data-race
// where: 15,17
// final: length[t]==4 for t=0..5
extern "C" __global__ void positives(const int *x, int *list, unsigned *length)
{
    __shared__ unsigned used;
    unsigned t = threadIdx.x;
    if (t == 0)
        used = 0;
    __syncthreads();
    if (x[t] > 0) {
        // Each takes what it finds for its own; nobody waits for the others.
        list[atomicAdd(&used, 1u)] = x[t];
    }
    length[t] = used;
}
