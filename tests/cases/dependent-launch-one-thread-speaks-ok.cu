// One thread of the block lets the next kernel start, which waits for the end of the first before it reads.
// launch: kernel=produce grid=2 block=32 args=x:u32[64]=0
// launch: kernel=consume grid=1 block=64 pdl=1 args=x:u32[64]=0,out:u32[64]=0
// relation: pdl
// expect: clean
extern "C" __global__ void produce(unsigned *x) {
  if (threadIdx.x == 0) {
    __threadfence();
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  }
  x[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void consume(const unsigned *x, unsigned *out) {
  asm volatile("griddepcontrol.wait;" ::: "memory");
  out[threadIdx.x] = x[threadIdx.x];
}
