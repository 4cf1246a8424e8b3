// Bulk copies of boxes of a tensor, also from beyond its edges, plain and swizzled; one box is copied back.
// launch: kernel=tensor_tiles grid=3,2 block=32 args=plain=x:s32[40,24]:[16,8]=random:50,swizzled=x:s32[40,24]:[16,8]:swizzle64=random:50,back=y:s32[40,24]:[16,8]=0,out:s32[1536]=0
#include <cuda.h>
__device__ void load(unsigned to, const CUtensorMap *map, int x, int y, unsigned bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(bar) : "memory");
}
extern "C" __global__ void tensor_tiles(const __grid_constant__ CUtensorMap plain, const __grid_constant__ CUtensorMap swizzled,
                                        const __grid_constant__ CUtensorMap back, int *out) {
  __shared__ __align__(1024) int a[128], b[128];
  __shared__ __align__(8) unsigned long long ready;
  unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&ready), done;
  int x = blockIdx.x * 16 - 4, y = blockIdx.y * 16 + 2;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(bar) : "memory");
    load((unsigned)__cvta_generic_to_shared(a), &plain, x, y, bar);
    load((unsigned)__cvta_generic_to_shared(b), &swizzled, x, y, bar);
  }
  __syncwarp();
  do
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar) : "memory");
  while (!done);
  int *row = out + (blockIdx.y * 3 + blockIdx.x) * 256;
  for (unsigned i = t; i < 128; i += 32)
    row[i] = a[i], row[128 + i] = b[i];
  if (t == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
                 ::"l"(&back), "r"(x + 4), "r"(y), "r"((unsigned)__cvta_generic_to_shared(a)) : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
