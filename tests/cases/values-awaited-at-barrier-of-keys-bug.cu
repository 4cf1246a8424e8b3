// As in an attention kernel, Q, K and V come by bulk copies, each on a barrier of its own. The values are
// taken after another look at the barrier of the keys.
// launch: kernel=attend grid=1 block=64 args=q:u32[32]=3,k:u32[64]=iota,v:u32[64]=iota,y:u32[32]=0
// expect: async-not-waited
// accept: uninitialised
// where: 113
// final: y[i] == 3*i*i + 3*(32+i)*(32+i) for i=0..31
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

__shared__ alignas(128) uint32_t tile_q[32], tile_k[2][32], tile_v[2][32];
__shared__ ClusterBarrier barrier_q, barrier_k[2], barrier_v[2];

extern "C" __global__ void attend(const uint32_t *q, const uint32_t *k, const uint32_t *v, uint32_t *y)
{
    if (threadIdx.x == 0) {
        barrier_q.init(1);
        for (int s = 0; s < 2; s++) {
            barrier_k[s].init(1);
            barrier_v[s].init(1);
        }
        fence_barrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        barrier_q.arrive_and_expect_tx(128);
        bulk_load(tile_q, q, 128, barrier_q);
        for (int s = 0; s < 2; s++) {
            barrier_k[s].arrive_and_expect_tx(128);
            bulk_load(tile_k[s], k + 32 * s, 128, barrier_k[s]);
            barrier_v[s].arrive_and_expect_tx(128);
            bulk_load(tile_v[s], v + 32 * s, 128, barrier_v[s]);
        }
    }
    if (threadIdx.x >= 32) {
        uint32_t lane = threadIdx.x - 32, sum = 0;
        barrier_q.wait(0);
        for (int s = 0; s < 2; s++) {
            barrier_k[s].wait(0);
            uint32_t score = tile_q[lane] * tile_k[s][lane];
            barrier_k[s].wait(0);
            sum += score * tile_v[s][lane];
        }
        y[lane] = sum;
    }
}
