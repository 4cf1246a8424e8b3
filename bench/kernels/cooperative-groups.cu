// grid.sync() of cooperative groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void coop(unsigned *data, unsigned *out) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  data[i] = i;
  cg::this_grid().sync();
  out[i] = data[(i + 32) % 96];
}
