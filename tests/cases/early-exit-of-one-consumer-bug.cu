// One of the consumers has nothing to do and returns without an arrival that the producer's barrier counts.
// launch: kernel=feed grid=1 block=96 args=n:u32=1,y:u32[32]=0
// expect: deadlock
// where: 92
// final: y[i] == 1 + i for i=0..31
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

extern "C" __global__ void feed(uint32_t n, uint32_t *y)
{
    __shared__ uint32_t slot[32];
    __shared__ ClusterBarrier full, empty;
    uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        full.init(32);
        empty.init(2);
    }
    __syncthreads();
    if (warp == 0) {
        for (uint32_t k = 0; k < 2; k++) {
            empty.wait(k & 1 ^ 1);
            slot[lane] = k + lane;
            full.arrive();
        }
        return;
    }
    if (warp > n) {
        return;
    }
    for (uint32_t k = 0; k < 2; k++) {
        full.wait(k & 1);
        y[lane] = slot[lane];
        __syncwarp();
        if (lane == 0)
            empty.arrive();
    }
}
