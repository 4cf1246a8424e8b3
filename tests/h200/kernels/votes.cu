// Votes, matches, reductions and elections among parts of a warp.
// launch: kernel=votes grid=1 block=64 args=in:u32[64]=random:3,out:u32[1024]=0
extern "C" __global__ void votes(const unsigned *in, unsigned *out) {
  unsigned thread = threadIdx.x, value = in[thread] % 8, row = 0;
#define PUT(value) out[row++ * 64 + thread] = (value)
  PUT(__all_sync(~0u, value < 8));
  PUT(__any_sync(~0u, value == 9));
  PUT(__ballot_sync(~0u, value & 1));
  PUT(__match_any_sync(~0u, value));
  int all;
  PUT(__match_all_sync(~0u, value / 8, &all));
  PUT(all);
  PUT(__match_all_sync(~0u, value, &all));
  PUT(__reduce_add_sync(~0u, value));
  PUT(__reduce_max_sync(~0u, in[thread]));
  PUT(__reduce_min_sync(~0u, (int)in[thread]));
  PUT(__reduce_and_sync(~0u, in[thread] | 0xff));
  PUT(__reduce_or_sync(~0u, 1u << value));
  PUT(__reduce_xor_sync(~0u, in[thread]));
  if (thread % 3 == 0)
    PUT(__ballot_sync(__activemask(), value > 3));
  else
    PUT(__match_any_sync(__activemask(), value & 1));
  unsigned long long wide = ((unsigned long long)value << 40) | 1;
  PUT(__match_any_sync(~0u, wide));
  unsigned uniform;
  asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %1, 3; vote.sync.uni.pred q, p, 0xffffffff; selp.u32 %0, 1, 0, q; }"
               : "=r"(uniform) : "r"(thread & 32));
  PUT(uniform);
}
