// Bulk copies into shared memory that a memory barrier counts, and back out in a group.
// launch: kernel=bulk_copies grid=2 block=64 args=in:u32[512]=random:35,out:u32[512]=0
extern "C" __global__ void bulk_copies(const unsigned *in, unsigned *out) {
  __shared__ __align__(128) unsigned a[256];
  __shared__ __align__(8) unsigned long long ready;
  unsigned t = threadIdx.x, bar = (unsigned)__cvta_generic_to_shared(&ready), to = (unsigned)__cvta_generic_to_shared(a);
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  if (t == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(bar) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(to), "l"(in + blockIdx.x * 256), "r"(bar) : "memory");
  }
  unsigned done;
  do
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar) : "memory");
  while (!done);
  unsigned mine[4];
  for (int i = 0; i < 4; i++)
    mine[i] = a[255 - t * 4 - i];
  __syncthreads();
  for (int i = 0; i < 4; i++)
    a[t * 4 + i] = mine[i] + i;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(out + blockIdx.x * 256), "r"(to) : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
