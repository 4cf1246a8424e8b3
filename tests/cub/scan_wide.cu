// CUB's prefix sum of values of 16 bytes with a flag of their own word: partial sums and flags are
// published apart, with fences.
// launch: kernel=prepare grid=1 block=128 args=state:u8[8192]=undef,tiles:s32=66
// launch: kernel=scan grid=66 block=128 args=in:u64[50688]=random:1,out:u64[50688]=undef,state:u8[8192]=undef,tiles:s32=66,n:s32=25344
// relation: sequential
// check: out = exclusive_sum_of_pairs(in)
#include <cub/cub.cuh>

struct Pair {
  unsigned long long a, b;
};
struct Sum {
  __device__ Pair operator()(const Pair &x, const Pair &y) const { return {x.a + y.a, x.b + y.b}; }
};
using Policy = cub::AgentScanPolicy<128, 12, Pair, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT,
                                    cub::BLOCK_STORE_WARP_TRANSPOSE, cub::BLOCK_SCAN_WARP_SCANS>;
using State = cub::ScanTileState<Pair>;
using Agent = cub::detail::scan::AgentScan<Policy, const Pair *, Pair *, Sum, Pair, int, Pair>;

extern "C" __global__ void prepare(unsigned char *state, int tiles) {
  State tile_state;
  tile_state.Init(tiles, state, 8192);
  tile_state.InitializeStatus(tiles);
}

extern "C" __global__ void __launch_bounds__(128)
    scan(const Pair *in, Pair *out, unsigned char *state, int tiles, int n) {
  __shared__ typename Agent::TempStorage storage;
  State tile_state;
  tile_state.Init(tiles, state, 8192);
  Agent(storage, in, out, Sum(), Pair{0, 0}).ConsumeRange(n, tile_state, 0);
}
