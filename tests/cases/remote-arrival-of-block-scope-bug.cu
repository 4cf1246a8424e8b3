// A block of a cluster writes into the shared memory of its peer and arrives at the peer's
// mbarrier with block scope, which the peer is not in.
// launch: kernel=push_remote grid=2 block=32 cluster=2 args=y:u32[32]=0
// expect: scope-too-narrow
// accept: no-synchronisation,barrier-missing
// where: 22,30
// final: y[t]==t+60 for t=0..31
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void __cluster_dims__(2, 1, 1) push_remote(unsigned *y)
{
    __shared__ unsigned s[32];
    __shared__ unsigned long long full;
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&full), done = 0;
    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(bar) : "memory");
    cluster.sync();
    if (cluster.block_rank() == 0) {
        cluster.map_shared_rank(s, 1)[t] = t + 60;
        unsigned remote;
        asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(remote) : "r"(bar));
        asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(remote) : "memory");
    } else {
        while (!done)
            asm volatile("{\n .reg .pred p;\n mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;\n"
                         " selp.u32 %0, 1, 0, p;\n}" : "=r"(done) : "r"(bar) : "memory");
        y[t] = s[t];
    }
}
