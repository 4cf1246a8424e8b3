// CUB's exclusive prefix sum over many blocks: decoupled look-back.
// launch: kernel=prepare grid=1 block=128 args=state:u8[4096]=undef,tiles:s32=66
// launch: kernel=scan grid=66 block=128 args=in:u32[100000]=random:1,out:u32[100000]=undef,state:u8[4096]=undef,tiles:s32=66,n:s32=100000
// relation: sequential
// advice: torn-access
// check: out = exclusive_sum(in)
#include <cub/cub.cuh>

using Sum = cuda::std::plus<>;
using Policy =
    cub::AgentScanPolicy<128, 12, unsigned, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT,
                         cub::BLOCK_STORE_WARP_TRANSPOSE, cub::BLOCK_SCAN_WARP_SCANS>;
using State = cub::ScanTileState<unsigned>;
using Agent = cub::detail::scan::AgentScan<Policy, const unsigned *, unsigned *, Sum, unsigned, int,
                                           unsigned>;

extern "C" __global__ void prepare(unsigned char *state, int tiles) {
  State tile_state;
  tile_state.Init(tiles, state, 4096);
  tile_state.InitializeStatus(tiles);
}

extern "C" __global__ void __launch_bounds__(128)
    scan(const unsigned *in, unsigned *out, unsigned char *state, int tiles, int n) {
  __shared__ typename Agent::TempStorage storage;
  State tile_state;
  tile_state.Init(tiles, state, 4096);
  Agent(storage, in, out, Sum(), 0u).ConsumeRange(n, tile_state, 0);
}
