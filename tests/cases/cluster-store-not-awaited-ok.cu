// Block 0 stores into the shared memory of block 1 of its cluster by st.async. Block 1 waits at its
// mbarrier until all bytes have come.
// launch: kernel=send_async grid=2 block=32 cluster=2 args=out:u32[32]=0
// expect: clean
// final: out[i] == 100 + i for i=0..31
#include <cstdint>
#include <cooperative_groups.h>

extern "C" __global__ void send_async(unsigned *out)
{
    __shared__ uint64_t barrier;
    __shared__ unsigned box[32];
    uint32_t own = (uint32_t)__cvta_generic_to_shared(&barrier), to, remote;
    unsigned lane = threadIdx.x;
    auto cluster = cooperative_groups::this_cluster();
    if (cluster.block_rank() == 1 && lane == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(own) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" :: "r"(own) : "memory");
    }
    cluster.sync();
    if (cluster.block_rank() == 0) {
        asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(remote) : "r"(own));
        asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(to) : "r"((uint32_t)__cvta_generic_to_shared(&box[lane])));
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" :: "r"(to), "r"(100 + lane), "r"(remote) : "memory");
    }
    cluster.sync();
    if (cluster.block_rank() == 1) {
        uint32_t over = 0;
        while (!over)
            asm volatile("{ .reg .pred p;\n\t"
                         "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\t"
                         "selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(own) : "memory");
        out[lane] = box[lane];
    }
}
