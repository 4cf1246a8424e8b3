// Two blocks add their tiles to one result by bulk reductions. The second launch reads it in another stream.
// launch: kernel=add stream=1 grid=2 block=32 args=y=Y:u32[32]=0
// launch: kernel=use stream=2 grid=1 block=32 args=y=Y:u32[32]=0,z:u32[32]=0
// expect: data-race
// where: 89,97
// final: z[i] == 2*i + 1 for i=0..31
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

extern "C" __global__ void add(uint32_t *y)
{
    __shared__ alignas(128) uint32_t tile[32];
    tile[threadIdx.x] = threadIdx.x + blockIdx.x;
    fence_view_async_shared();
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;"
                     ::"l"(y), "r"(smem(tile)), "r"(128) : "memory");
        store_commit();
        store_wait<0>();
    }
}

extern "C" __global__ void use(const uint32_t *y, uint32_t *z)
{
    z[threadIdx.x] = y[threadIdx.x];
}
