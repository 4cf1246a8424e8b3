// Rows go to the peer's shared memory by st.async, which counts bytes at the peer's mbarrier. The peer expects the bytes
// of both rows.
// launch: kernel=push grid=2 block=32 cluster=2 args=y:u32[64]=0
// expect: clean
// final: y[32*b+i] == 3*i + 21*(1-b) for i=0..31, b=0..1
#include <cstdint>

__device__ __forceinline__ uint32_t smem(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

struct ClusterBarrier {
    uint64_t word;
    __device__ __forceinline__ void init(uint32_t arrivals)
    {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(&word)), "r"(arrivals) : "memory");
    }
    __device__ __forceinline__ void wait(uint32_t phase)
    {
        asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                     "@done bra OUT;\nbra AGAIN;\nOUT:\n}" ::"r"(smem(&word)), "r"(phase) : "memory");
    }
    __device__ __forceinline__ void wait_cluster(uint32_t phase)
    {
        asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
                     "@done bra OUT;\nbra AGAIN;\nOUT:\n}" ::"r"(smem(&word)), "r"(phase) : "memory");
    }
    __device__ __forceinline__ void arrive()
    {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(&word)) : "memory");
    }
    __device__ __forceinline__ void arrive_at(uint32_t rank)
    {
        asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
                     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n}" ::"r"(smem(&word)), "r"(rank) : "memory");
    }
    __device__ __forceinline__ void arrive_and_expect_tx(uint32_t bytes)
    {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(&word)), "r"(bytes) : "memory");
    }
};

__device__ __forceinline__ void bulk_load(void *to, const void *from, uint32_t bytes, ClusterBarrier &bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(smem(to)), "l"(from), "r"(bytes), "r"(smem(&bar.word)) : "memory");
}

__device__ __forceinline__ void bulk_store(void *to, const void *from, uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(smem(from)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void store_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

template <int N> __device__ __forceinline__ void store_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}

template <int N> __device__ __forceinline__ void store_wait() { asm volatile("cp.async.bulk.wait_group %0;" ::"n"(N) : "memory"); }

__device__ __forceinline__ void fence_barrier_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__device__ __forceinline__ void fence_view_async_shared() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ __forceinline__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ __forceinline__ void named_sync(uint32_t id, uint32_t count)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
}

__device__ __forceinline__ void named_arrive(uint32_t id, uint32_t count)
{
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory");
}

__device__ void store_async(uint32_t *there, uint32_t value, ClusterBarrier &bar, uint32_t rank)
{
    asm volatile("{\n.reg .b32 at, counter;\nmapa.shared::cluster.u32 at, %0, %3;\nmapa.shared::cluster.u32 counter, %2, %3;\n"
                 "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [at], %1, [counter];\n}"
                 ::"r"(smem(there)), "r"(value), "r"(smem(&bar.word)), "r"(rank) : "memory");
}

extern "C" __global__ void __cluster_dims__(2) push(uint32_t *y)
{
    __shared__ uint32_t row[2][32];
    __shared__ ClusterBarrier arrived;
    uint32_t t = threadIdx.x, rank = blockIdx.x;
    if (t == 0) {
        arrived.init(1);
        fence_barrier_init();
        arrived.arrive_and_expect_tx(256);
    }
    cluster_sync();
    store_async(&row[0][t], t + 10 * rank, arrived, rank ^ 1);
    store_async(&row[1][t], 2 * t + 11 * rank, arrived, rank ^ 1);
    arrived.wait(0);
    y[32 * rank + t] = row[0][t] + row[1][t];
    cluster_sync();
}
