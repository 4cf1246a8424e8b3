// Matrices loaded from shared memory in fragments, plain and transposed.
// launch: kernel=matrix_fragments grid=1 block=32 args=in:u16[1024]=random:37,out:u32[320]=0
extern "C" __global__ void matrix_fragments(const unsigned short *in, unsigned *out) {
  __shared__ __align__(16) unsigned short tile[1024];
  unsigned t = threadIdx.x, row = 0, a, b, c, d;
  for (unsigned i = t; i < 1024; i += 32)
    tile[i] = in[i];
  __syncwarp();
  unsigned at = (unsigned)__cvta_generic_to_shared(tile + t * 16);
#define PUT(value) out[row++ * 32 + t] = (value)
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(at) : "memory");
  PUT(a);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at) : "memory");
  PUT(a);
  PUT(b);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at) : "memory");
  PUT(a);
  PUT(b);
  PUT(c);
  PUT(d);
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(at), "r"(c), "r"(d) : "memory");
  __syncwarp();
  PUT(((unsigned *)tile)[t * 8]);
  PUT(((unsigned *)tile)[t * 8 + 3]);
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(a) : "r"(d));
  PUT(a);
}
