// Two stages are in flight and the second is used after a wait that allows one group to be still
// pending.
// launch: kernel=two_stages grid=1 block=32 args=x:u32[64]=iota,y:u32[32]=0
// expect: async-not-waited
// where: 13,21
// final: y[t]==2*(31-t)+32 for t=0..31
extern "C" __global__ void two_stages(const unsigned *x, unsigned *y)
{
    __shared__ unsigned stage[2][32];
    unsigned t = threadIdx.x, sum = 0;
    for (unsigned k = 0; k < 2; k++) {
        unsigned to = (unsigned)__cvta_generic_to_shared(&stage[k][t]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(x + 32 * k + t) : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    sum += stage[0][31 - t];
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    sum += stage[1][31 - t];
    y[t] = sum;
}
