// Bulk copies that reduce the elements of boxes of a tensor, also beyond its edges: whole numbers.
// launch: kernel=tensor_reductions grid=3,2 block=32 args=sums=s:s32[40,24]:[16,8]=iota,least=l:u32[40,24]:[16,8]=random:51,bits=b:u32[40,24]:[16,8]=random:52,swizzled=w:s32[40,24]:[16,8]:swizzle64=7
#include <cuda.h>
#define REDUCE(operation, map, from)                                                               \
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." operation ".tile.bulk_group [%0, {%1, %2}], [%3];" \
               ::"l"(&map), "r"(x), "r"(y), "r"((unsigned)__cvta_generic_to_shared(from)) : "memory")
extern "C" __global__ void tensor_reductions(const __grid_constant__ CUtensorMap sums, const __grid_constant__ CUtensorMap least,
                                             const __grid_constant__ CUtensorMap bits, const __grid_constant__ CUtensorMap swizzled) {
  __shared__ __align__(1024) int a[128];
  __shared__ __align__(1024) unsigned b[128];
  unsigned t = threadIdx.x, block = blockIdx.y * 3 + blockIdx.x;
  int x = blockIdx.x * 12 + 4, y = blockIdx.y * 10 + 10; // they overlap
  for (unsigned i = t; i < 128; i += 32) {
    a[i] = (int)(i * 3 + block) - 100;
    b[i] = (i + block) * 0x9e3779b9u;
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp();
  if (t == 0) {
    REDUCE("add", sums, a);
    REDUCE("min", least, b);
    REDUCE("xor", bits, b);
    REDUCE("max", swizzled, a);
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
