// Three launches in a stream, each on the results of the one before it.
// launch: kernel=fill grid=2 block=64 args=a:u32[128]=0
// launch: kernel=scale grid=4 block=32 args=a:u32[128]=0,b:u32[128]=0,by:u32=3
// launch: kernel=gather grid=1 block=128 args=b:u32[128]=0,out:u32[128]=0
// relation: sequential
extern "C" __global__ void fill(unsigned *a) { a[blockIdx.x * 64 + threadIdx.x] = threadIdx.x ^ blockIdx.x * 17; }
extern "C" __global__ void scale(const unsigned *a, unsigned *b, unsigned by) { b[blockIdx.x * 32 + threadIdx.x] = a[blockIdx.x * 32 + threadIdx.x] * by; }
extern "C" __global__ void gather(const unsigned *b, unsigned *out) { out[threadIdx.x] = b[(threadIdx.x * 37 + 11) % 128] + b[threadIdx.x]; }
