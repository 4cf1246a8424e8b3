// grid.sync() of a cooperative launch separates the phases.
// launch: kernel=exchange_rows grid=2 block=32 coop=1 args=rows:u32[64]=0,swapped:u32[64]=0,sync_word:u32[1]=0
// expect: clean
// final: swapped[i]==63-i for i=0..63

// What grid.sync() of cooperative_groups compiles to, without the workspace of the driver.
__device__ static void grid_sync(unsigned *arrived)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned seen;
        asm volatile("atom.add.release.gpu.u32 %0, [%1], 1;" : "=r"(seen) : "l"(arrived) : "memory");
        do
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(arrived) : "memory");
        while (seen < gridDim.x);
    }
    __syncthreads();
}

extern "C" __global__ void exchange_rows(unsigned *rows, unsigned *swapped, unsigned *sync_word)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    rows[i] = i;
    grid_sync(sync_word);
    swapped[i] = rows[63 - i];
}
