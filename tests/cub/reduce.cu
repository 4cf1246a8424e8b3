// CUB's sum: each block adds up its share, one block adds up the blocks.
// launch: kernel=reduce grid=24 block=256 args=in:u32[100000]=random:2,part:u32[24]=undef,n:s32=100000
// launch: kernel=reduce grid=1 block=256 args=in=part:u32[24]=undef,part=out:u32[1]=undef,n:s32=24
// relation: sequential
// check: out = sum(in)
#include <cub/cub.cuh>

using Sum = cuda::std::plus<>;
using Policy = cub::AgentReducePolicy<256, 16, unsigned, 4, cub::BLOCK_REDUCE_WARP_REDUCTIONS,
                                      cub::LOAD_LDG>;
using Agent = cub::detail::reduce::AgentReduce<Policy, const unsigned *, unsigned *, int, Sum, unsigned>;

extern "C" __global__ void __launch_bounds__(256) reduce(const unsigned *in, unsigned *part, int n) {
  __shared__ typename Agent::TempStorage storage;
  int share = (n + gridDim.x - 1) / gridDim.x;
  int begin = min(n, (int)blockIdx.x * share), end = min(n, begin + share);
  unsigned sum = Agent(storage, in, Sum()).ConsumeRange(begin, end);
  if (threadIdx.x == 0)
    part[blockIdx.x] = sum;
}
