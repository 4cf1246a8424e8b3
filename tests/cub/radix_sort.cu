// CUB's radix sort in one sweep for each digit: histograms of all digits, their sums, then for each digit
// a pass in which blocks look back for where their keys begin.
// launch: kernel=count grid=4 block=128 args=bins:u32[1024]=0,keys:u32[100000]=random:5,n:s32=100000
// launch: kernel=sum grid=4 block=256 args=bins:u32[1024]=0
// launch: kernel=sweep grid=66 block=128 args=lookback=lookback0:u32[16896]=0,counters:u32[4]=0,bins:u32[1024]=0,out=a:u32[100000]=undef,in=keys:u32[100000]=random:5,n:s32=100000,pass:s32=0
// launch: kernel=sweep grid=66 block=128 args=lookback=lookback1:u32[16896]=0,counters:u32[4]=0,bins:u32[1024]=0,out=b:u32[100000]=undef,in=a:u32[100000]=undef,n:s32=100000,pass:s32=1
// launch: kernel=sweep grid=66 block=128 args=lookback=lookback2:u32[16896]=0,counters:u32[4]=0,bins:u32[1024]=0,out=a:u32[100000]=undef,in=b:u32[100000]=undef,n:s32=100000,pass:s32=2
// launch: kernel=sweep grid=66 block=128 args=lookback=lookback3:u32[16896]=0,counters:u32[4]=0,bins:u32[1024]=0,out:u32[100000]=undef,in=a:u32[100000]=undef,n:s32=100000,pass:s32=3
// relation: sequential
// check: out = sorted(keys)
#include <cub/cub.cuh>

using CountPolicy = cub::AgentRadixSortHistogramPolicy<128, 16, 1, unsigned, 8>;
using CountAgent = cub::detail::radix_sort::AgentRadixSortHistogram<CountPolicy, false, unsigned, unsigned>;
using SweepPolicy =
    cub::AgentRadixSortOnesweepPolicy<128, 12, unsigned, 1, cub::RADIX_RANK_MATCH_EARLY_COUNTS_ANY,
                                      cub::BLOCK_SCAN_WARP_SCANS, cub::RADIX_SORT_STORE_DIRECT, 8>;
using SweepAgent = cub::detail::radix_sort::AgentRadixSortOnesweep<SweepPolicy, false, unsigned,
                                                                   cub::NullType, unsigned, int>;

extern "C" __global__ void __launch_bounds__(128) count(unsigned *bins, const unsigned *keys, int n) {
  __shared__ typename CountAgent::TempStorage storage;
  CountAgent agent(storage, bins, keys, n, 0, 32);
  agent.Process();
}

extern "C" __global__ void __launch_bounds__(256) sum(unsigned *bins) {
  using Scan = cub::BlockScan<unsigned, 256>;
  __shared__ typename Scan::TempStorage storage;
  unsigned *bin = bins + blockIdx.x * 256 + threadIdx.x, value = *bin;
  Scan(storage).ExclusiveSum(value, value);
  *bin = value;
}

extern "C" __global__ void __launch_bounds__(128)
    sweep(int *lookback, int *counters, unsigned *bins, unsigned *out, const unsigned *in, int n, int pass) {
  __shared__ typename SweepAgent::TempStorage storage;
  SweepAgent agent(storage, lookback, counters + pass, nullptr, bins + pass * 256, out, in,
                   static_cast<cub::NullType *>(nullptr), static_cast<const cub::NullType *>(nullptr), n,
                   pass * 8, 8);
  agent.Process();
}
