// Three groups take turns with one scratch tile, each with a named barrier of its own that counts all three: who is done
// arrives at the barriers of both others.
// launch: kernel=turns grid=1 block=96 args=y:u32[192]=0
// expect: clean
// final: y[96*r+32*g+i] == 1000*r + 100*g + 31-i for i=0..31, g=0..2, r=0..1
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

__shared__ uint32_t scratch[32];

extern "C" __global__ void turns(uint32_t *y)
{
    uint32_t lane = threadIdx.x % 32, group = threadIdx.x / 32;
    if (group > 0)
        named_arrive(1, 96);
    if (group == 2)
        named_arrive(2, 96);
    for (uint32_t round = 0; round < 2; round++) {
        named_sync(1 + group, 96);
        scratch[lane] = 1000 * round + 100 * group + lane;
        __syncwarp();
        y[96 * round + 32 * group + lane] = scratch[31 - lane];
        if (round < 1 || group < 2) {
            uint32_t next = (group + 1) % 3, after = (group + 2) % 3;
            if (round < 1 || next > group)
                named_arrive(1 + next, 96);
            if (round < 1 || after > group)
                named_arrive(1 + after, 96);
        }
    }
}
