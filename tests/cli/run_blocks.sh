# `warpsan run`: short blocks follow each other in one place, on any number of workers: what each does stays its own.
. "$WARPSAN_ROOT/tests/cli/common.inc"
cat >blocks.ptx <<'EOT'
.version 8.3
.target sm_90
.address_size 64
// Each thread notes its number, and the clock of its block; one block goes wrong in some way.
.visible .entry mark(.param .u64 x, .param .u64 c, .param .u32 bad, .param .u32 stray) {
  .shared .b32 own[32];
  .reg .pred %p<4>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd4, [c];
  ld.param.u32 %r5, [bad];
  ld.param.u32 %r6, [stray];
  mov.u64 %rd5, %clock64;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r1, 32, %r2;
  mov.u32 %r7, own;
  mad.lo.u32 %r8, %r2, 4, %r7;
  setp.eq.u32 %p1, %r1, %r5;
  @%p1 ld.shared.u32 %r9, [%r8];
  @%p1 add.u32 %r3, %r3, %r9;
  st.shared.u32 [%r8], %r3;
  setp.eq.u32 %p2, %r1, %r6;
  mov.u32 %r4, %r3;
  @%p2 add.u32 %r4, %r4, 1000000;
  mul.wide.u32 %rd2, %r4, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
  mul.wide.u32 %rd6, %r1, 8;
  add.u64 %rd7, %rd4, %rd6;
  setp.eq.u32 %p3, %r2, 0;
  @%p3 st.global.u64 [%rd7], %rd5;
  ret;
}
// Blocks from `first` on wait for the last one.
.visible .entry wait(.param .u64 x, .param .u64 flag, .param .u32 first) {
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [flag];
  ld.param.u32 %r1, [first];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %nctaid.x;
  add.u32 %r4, %r2, 1;
  setp.eq.u32 %p1, %r4, %r3;
  @%p1 st.release.gpu.global.u32 [%rd2], 1;
  setp.lt.u32 %p2, %r2, %r1;
  @%p2 bra DONE;
AGAIN:
  ld.acquire.gpu.global.u32 %r5, [%rd2];
  setp.eq.u32 %p3, %r5, 0;
  @%p3 bra AGAIN;
DONE:
  mul.wide.u32 %rd3, %r2, 4;
  add.u64 %rd4, %rd1, %rd3;
  st.global.u32 [%rd4], %r2;
  ret;
}
EOT
buffers='x:u32[96000]=undef,c:u64[3000]=undef'
mark() { "$WARPSAN" run "$@" --final 'x[i] == i for i=0..95999' --final 'c[i] == c[0] for i=0..2999' blocks.ptx; }
for jobs in 1 2 3; do
  for seed in 1 2; do
    status 0 mark -j $jobs --seed $seed --launch "kernel=mark grid=3000 block=32 args=$buffers,bad:u32=9999,stray:u32=9999"
    status 0 "$WARPSAN" run -j $jobs --seed $seed --final 'x[i] == i for i=0..599' \
      --launch 'kernel=wait grid=600 block=1 args=x:u32[600]=undef,flag:u32[1]=0,first:u32=400' blocks.ptx
  done
  status 1 "$WARPSAN" run -j $jobs \
    --launch "kernel=mark grid=3000 block=32 args=$buffers,bad:u32=2000,stray:u32=1500" blocks.ptx
  has out '[uninitialised]'
  has out 'block 2000 thread 0 and 31 others'
  has out '[out-of-bounds]'
  has out 'block 1500 thread 0 and 31 others'
  grep -v ' s, complete)' out >jobs.$jobs
done
cmp jobs.1 jobs.2 && cmp jobs.1 jobs.3 || fail "findings differ with -j"
