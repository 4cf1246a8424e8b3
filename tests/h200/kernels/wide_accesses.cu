// Accesses of 128 and of 256 bits: loads, stores, exchanges, compare and swap.
// launch: kernel=wide_accesses grid=2 block=64 args=in:u64[256]=random:11,out:u64[256]=0,cells:u64[256]=iota,sums:u64[2]={7,9}
typedef unsigned long long word;

__device__ void load_pair(const word *from, word &low, word &high) {
  asm volatile("{ .reg .b128 q; ld.relaxed.gpu.global.b128 q, [%2]; mov.b128 {%0, %1}, q; }" : "=l"(low), "=l"(high) : "l"(from) : "memory");
}

__device__ void store_pair(word *to, word low, word high) {
  asm volatile("{ .reg .b128 q; mov.b128 q, {%1, %2}; st.release.gpu.global.b128 [%0], q; }" ::"l"(to), "l"(low), "l"(high) : "memory");
}

__device__ void exchange(word *at, word &low, word &high) {
  asm volatile("{ .reg .b128 q, p; mov.b128 q, {%0, %1}; atom.acq_rel.gpu.global.exch.b128 p, [%2], q; mov.b128 {%0, %1}, p; }" : "+l"(low), "+l"(high) : "l"(at) : "memory");
}

// The pair found: the expected one if it was replaced.
__device__ void compare_and_swap(word *at, word low, word high, word new_low, word new_high, word &found_low, word &found_high) {
  asm volatile("{ .reg .b128 e, n, f; mov.b128 e, {%3, %4}; mov.b128 n, {%5, %6}; atom.relaxed.gpu.global.cas.b128 f, [%2], e, n; mov.b128 {%0, %1}, f; }"
               : "=l"(found_low), "=l"(found_high)
               : "l"(at), "l"(low), "l"(high), "l"(new_low), "l"(new_high)
               : "memory");
}

extern "C" __global__ void wide_accesses(const word *in, word *out, word *cells, word *sums) {
  __shared__ alignas(16) word tile[128];
  unsigned lane = threadIdx.x, thread = blockIdx.x * 64 + lane;
  word low, high, other, more;
  load_pair(in + 2 * thread, low, high);
  asm volatile("{ .reg .b128 q; mov.b128 q, {%1, %2}; st.shared.b128 [%0], q; }" ::"r"((unsigned)__cvta_generic_to_shared(tile + 2 * lane)), "l"(high), "l"(low) : "memory");
  __syncthreads();
  asm volatile("{ .reg .b128 q; ld.shared.b128 q, [%2]; mov.b128 {%0, %1}, q; }" : "=l"(other), "=l"(more) : "r"((unsigned)__cvta_generic_to_shared(tile + 2 * (63 - lane))) : "memory");
  exchange(cells + 2 * thread, other, more);
  store_pair(out + 2 * thread, low ^ other, high + more);
  // One lane in two expects what is there.
  compare_and_swap(cells + 2 * thread, lane & 1 ? tile[126 - 2 * lane] : 5, tile[127 - 2 * lane], lane, low, other, more);
  __syncthreads();
  asm volatile("{ .reg .b128 q; mov.b128 q, {%0, %1}; atom.shared.exch.b128 q, [%2], q; mov.b128 {%0, %1}, q; }" : "+l"(other), "+l"(more) : "r"((unsigned)__cvta_generic_to_shared(tile + 2 * lane)) : "memory");
  // All threads add to one pair.
  word first = 7, second = 9, seen_first, seen_second;
  for (;;) {
    compare_and_swap(sums, first, second, first + thread, second + 2 * thread, seen_first, seen_second);
    if (seen_first == first && seen_second == second)
      break;
    first = seen_first;
    second = seen_second;
  }
}
