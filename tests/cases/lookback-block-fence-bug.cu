// A scan of two blocks. The total of the first block is published behind __threadfence_block(),
// which orders nothing toward the second block.
// launch: kernel=scan grid=2 block=32 coop=1 args=x:u32[64]=iota,y:u32[64]=0,total:u32[2]=0,ready:u32[2]=0
// expect: scope-too-narrow
// where: 18,28
// final: y[i]==i*(i+1)/2 for i=0..63
extern "C" __global__ void scan(const unsigned *x, unsigned *y, unsigned *total,
                                volatile unsigned *ready)
{
    __shared__ unsigned before;
    unsigned t = threadIdx.x, b = blockIdx.x, sum = x[32 * b + t];
    for (unsigned d = 1; d < 32; d *= 2) {
        unsigned lower = __shfl_up_sync(0xffffffffu, sum, d);
        if (t >= d)
            sum += lower;
    }
    if (t == 31) {
        total[b] = sum;
        __threadfence_block();
        ready[b] = 1;
    }
    if (t == 0) {
        before = 0;
        if (b > 0) {
            while (ready[b - 1] == 0)
                ;
            __threadfence_block();
            before = total[b - 1];
        }
    }
    __syncwarp();
    y[32 * b + t] = sum + before;
}
