// Atomic operations of 32 bits on global memory, from many threads; results that no order changes.
// launch: kernel=atomics_32 grid=4 block=128 args=in:u32[512]=random:4,out:u32[16]={0,0,0xffffffff,0,0xffffffff,0,0,0,0,100,0x7fffffff,0x80000000,0,0,0,0}
extern "C" __global__ void atomics_32(const unsigned *in, unsigned *out) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, value = in[thread];
  atomicAdd(out + 0, value);
  atomicSub(out + 1, value);
  atomicAnd(out + 2, value | 0xfff);
  atomicOr(out + 3, value & 0xf0f);
  atomicMin(out + 4, value);
  atomicMax(out + 5, value);
  atomicXor(out + 6, value);
  atomicInc(out + 7, 99);
  atomicDec(out + 9, 150);
  atomicMin((int *)out + 10, (int)value);
  atomicMax((int *)out + 11, (int)value);
  unsigned old = atomicAdd(out + 12, 1); // every number from 0 to 511 once
  atomicAdd(out + 13, old * old);
  unsigned seen = out[14] & 0, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(out + 14, assumed, assumed * 1 + 3);
  } while (seen != assumed);
  atomicXor(out + 15, atomicExch(out + 8, 0x55) ? 0x10000 : 0x1);
}
