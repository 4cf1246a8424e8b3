// A lock around additions to plain memory, one thread of each block.
// launch: kernel=spin_lock grid=16 block=32 args=lock:u32[1]=0,sum:u64[2]=0
extern "C" __global__ void spin_lock(unsigned *lock, unsigned long long *sum) {
  if (threadIdx.x != 0)
    return;
  for (int i = 0; i < 10; i++) {
    while (atomicCAS(lock, 0, 1) != 0)
      __nanosleep(20);
    __threadfence();
    sum[0] += blockIdx.x * 10 + i;
    sum[1]++;
    __threadfence();
    atomicExch(lock, 0);
  }
}
