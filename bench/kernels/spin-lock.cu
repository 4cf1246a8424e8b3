// A lock taken by atomicCAS.
extern "C" __global__ void lock(unsigned *mutex, unsigned *data) {
  while (atomicCAS(mutex, 0u, 1u) != 0) ;
  __threadfence();
  data[0] += 1;
  __threadfence();
  atomicExch(mutex, 0u);
}
