// One thread of the block lets the next kernel start, before the others have written what it reads.
// launch: kernel=produce grid=2 block=32 args=x:u32[64]=0
// launch: kernel=consume grid=1 block=64 pdl=1 args=x:u32[64]=0,out:u32[64]=0
// relation: pdl
// expect: stream-order-missing
// where: 12,16
extern "C" __global__ void produce(unsigned *x) {
  if (threadIdx.x == 0) {
    __threadfence();
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  }
  x[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void consume(const unsigned *x, unsigned *out) {
  out[threadIdx.x] = x[threadIdx.x];
}
