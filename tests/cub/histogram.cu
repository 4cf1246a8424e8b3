// CUB's histogram of bytes: bins of each block in shared memory, added to those in global memory.
// launch: kernel=histogram grid=16 block=256 args=in:u8[100000]=random:4,bins:u32[256]=0,n:s32=100000
// check: bins = byte_counts(in)
#include <cub/cub.cuh>

using Policy = cub::AgentHistogramPolicy<256, 8, cub::BLOCK_LOAD_DIRECT, cub::LOAD_LDG, false, cub::SMEM, false>;
struct Same {
  template <cub::CacheLoadModifier> __device__ void BinSelect(unsigned char sample, int &bin, bool valid) {
    if (valid)
      bin = sample;
  }
};
using Agent = cub::detail::histogram::AgentHistogram<Policy, 256, 1, 1, const unsigned char *, unsigned,
                                                     Same, Same, int>;

extern "C" __global__ void __launch_bounds__(256)
    histogram(const unsigned char *in, unsigned *bins, int n) {
  __shared__ typename Agent::TempStorage storage;
  int bin_count = 256;
  unsigned *none = nullptr;
  Same same;
  int tiles = (n + 2047) / 2048;
  Agent agent(storage, in, &bin_count, &bin_count, &bins, &none, &same, &same);
  agent.InitBinCounters();
  agent.ConsumeTiles(n, 1, n, tiles, cub::GridQueue<int>());
  agent.StoreOutput();
}
