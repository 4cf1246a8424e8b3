// CUB's selection: the numbers below a bound, in their order.
// launch: kernel=prepare grid=1 block=128 args=state:u8[4096]=undef,tiles:s32=79
// launch: kernel=choose grid=79 block=128 args=in:u32[100000]=random:3,out:u32[100000]=0,count:s32[1]=0,state:u8[4096]=undef,tiles:s32=79,n:s32=100000
// relation: sequential
// advice: torn-access
// check: out, count = below_half(in)
#include <cub/cub.cuh>

struct Below {
  __device__ bool operator()(unsigned value) const { return value < 0x80000000u; }
};
struct Whole { // all items are in one partition
  __device__ int input_offset() const { return 0; }
  __device__ bool is_first_partition() const { return true; }
  __device__ int num_previously_selected() const { return 0; }
  __device__ int num_previously_rejected() const { return 0; }
  __device__ int num_total_items(int count) const { return count; }
  template <typename Count> __device__ void update_num_selected(Count out, int count) const {
    *out = count;
  }
};
using Policy = cub::AgentSelectIfPolicy<128, 10, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::LOAD_DEFAULT,
                                        cub::BLOCK_SCAN_WARP_SCANS>;
using State = cub::ScanTileState<int>;
using Agent = cub::detail::select::AgentSelectIf<Policy, const unsigned *, cub::NullType *, unsigned *,
                                                 Below, cub::NullType, int, Whole,
                                                 cub::SelectImpl::Select>;

extern "C" __global__ void prepare(unsigned char *state, int tiles) {
  State tile_state;
  tile_state.Init(tiles, state, 4096);
  tile_state.InitializeStatus(tiles);
}

extern "C" __global__ void __launch_bounds__(128)
    choose(const unsigned *in, unsigned *out, int *count, unsigned char *state, int tiles, int n) {
  __shared__ typename Agent::TempStorage storage;
  State tile_state;
  tile_state.Init(tiles, state, 4096);
  Agent(storage, in, nullptr, out, Below(), cub::NullType(), n, Whole())
      .ConsumeRange(tiles, tile_state, count);
}
