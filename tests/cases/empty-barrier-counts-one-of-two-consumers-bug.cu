// Two warps read each stage, and one arrival gives it back.
// launch: kernel=ring grid=1 block=96 args=out:u32[192]=0
// expect: data-race
// accept: deadlock
// where: 24,31
// final: out[64*k+t]==k+1 for k=0..2, t=0..63
#include <cuda/barrier>
using Bar = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void ring(unsigned *out)
{
    __shared__ unsigned stage[32];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ Bar full, empty;
    unsigned t = threadIdx.x, lane = t & 31;
    if (t == 0) {
        init(&full, 32);
        init(&empty, 1);
    }
    __syncthreads();
    if (t < 32) {
        for (unsigned k = 0; k < 3; k++) {
            if (k > 0)
                empty.wait_parity((k - 1) & 1);
            stage[lane] = k + 1;
            (void)full.arrive();
        }
        return;
    }
    for (unsigned k = 0; k < 3; k++) {
        full.wait_parity(k & 1);
        out[64 * k + t - 32] = stage[lane];
        __syncwarp();
        if (lane == 0)
            (void)empty.arrive();
    }
}
