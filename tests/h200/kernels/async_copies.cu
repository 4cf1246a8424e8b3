// Asynchronous copies to shared memory in two groups, of 4, 8 and 16 bytes.
// launch: kernel=async_copies grid=2 block=64 args=in:u32[1024]=random:34,out:u32[896]=0
extern "C" __global__ void async_copies(const unsigned *in, unsigned *out) {
  __shared__ __align__(16) unsigned a[256], b[128], c[64];
  unsigned t = threadIdx.x;
  const unsigned *from = in + blockIdx.x * 512;
  unsigned to_a = (unsigned)__cvta_generic_to_shared(a + t * 4), to_b = (unsigned)__cvta_generic_to_shared(b + t * 2), to_c = (unsigned)__cvta_generic_to_shared(c + t);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to_a), "l"(from + t * 4) : "memory");
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to_b), "l"(from + 256 + t * 2) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to_c), "l"(from + 384 + t), "r"(t % 3 == 0 ? 0 : 4) : "memory");
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  __syncthreads();
  for (unsigned i = t; i < 256; i += 64)
    out[blockIdx.x * 448 + i] = a[255 - i];
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  for (unsigned i = t; i < 128; i += 64)
    out[blockIdx.x * 448 + 256 + i] = b[127 - i];
  out[blockIdx.x * 448 + 384 + t] = c[63 - t];
}
