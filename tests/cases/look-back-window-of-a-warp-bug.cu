// Decoupled look-back by a whole warp: each lane watches one predecessor, votes tell when all of the window are
// ready, and the sums of the tiles are fetched. Sums lie beside the states and are fetched by the lane next door.
// launch: kernel=scan grid=3 block=32 coop=1 args=ticket:u32[1]=0,state:u32[3]=0,sum:u32[3]=0,y:u32[3]=0
// expect: data-race
// where: 16,25
// final: y[0] == 0 && y[1] == 10 && y[2] == 21
#include <cuda/atomic>

extern "C" __global__ void scan(unsigned *ticket, unsigned *state, unsigned *sum, unsigned *y)
{
    unsigned lane = threadIdx.x, tile = 0, part = 0;
    if (lane == 0)
        tile = atomicAdd(ticket, 1);
    tile = __shfl_sync(~0u, tile, 0);
    if (lane == 0) {
        sum[tile] = 10 + tile;
        cuda::atomic_ref<unsigned, cuda::thread_scope_device>(state[tile]).store(1, cuda::memory_order_release);
    }
    bool is_watched = lane < tile, is_ready;
    do {
        is_ready = !is_watched ||
                   cuda::atomic_ref<unsigned, cuda::thread_scope_device>(state[lane]).load(cuda::memory_order_acquire) == 1;
    } while (!__all_sync(~0u, is_ready));
    if (lane > 0 && lane <= tile)
        part = sum[lane - 1];
    for (int distance = 16; distance > 0; distance /= 2)
        part += __shfl_xor_sync(~0u, part, distance);
    if (lane == 0)
        y[tile] = part;
}
