# Loops of kernels that write: a livelock is claimed only where the rounds can be repeated for ever.
. "$WARPSAN_ROOT/tests/cli/common.inc"

# check NAME BODY: block 0 waits for flag == 2 in a loop that ends with BODY; block 1 stores 1.
check() {
  cat >"$1.ptx" <<EOF
// launch: kernel=wait grid=2 block=1 args=flag:u32[1]=0,beats:u32[1]=0
.version 7.0
.target sm_70
.address_size 64
.visible .entry wait(.param .u64 flag, .param .u64 beats)
{
  .reg .b32 %r<8>;
  .reg .b64 %d<4>;
  .reg .pred %p<4>;
  ld.param.u64 %d1, [flag];
  ld.param.u64 %d2, [beats];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, 0;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra other;
again:
  ld.acquire.gpu.global.u32 %r3, [%d1];
  setp.eq.u32 %p2, %r3, 2;
  @%p2 bra end;
$2
  bra again;
other:
  st.release.gpu.global.u32 [%d1], 1;
end:
  ret;
}
EOF
  status "$3" "$WARPSAN" check "$1.ptx"
}

# Counters that nobody tests.
check memory 'red.relaxed.gpu.global.add.u32 [%d2], 1;' 1
has out '[livelock]'
has out 'it has last seen flag, byte 0 = 1'
has out 'no other thread that goes on changes what it reads'
check both 'add.u32 %r2, %r2, 3; red.relaxed.gpu.global.add.u32 [%d2], %r2;' 1
has out '[livelock]'

# Counters that end the loop, in a register, in memory, and far apart.
check register 'add.u32 %r2, %r2, 1; st.relaxed.gpu.global.u32 [%d2], %r2; setp.gt.u32 %p3, %r2, 100000; @%p3 bra end;' 3
lacks out '[livelock]'
check counted 'atom.relaxed.gpu.global.add.u32 %r4, [%d2], 1; setp.gt.u32 %p3, %r4, 100000; @%p3 bra end;' 3
lacks out '[livelock]'
check wrapping 'add.u32 %r2, %r2, 1; st.relaxed.gpu.global.u32 [%d2], %r2; shr.u32 %r4, %r2, 24; setp.ne.u32 %p3, %r4, 0; @%p3 bra end;' 3
lacks out '[livelock]'

# A clock, which may show anything.
check clock 'mov.u32 %r4, %clock; st.relaxed.gpu.global.u32 [%d2], %r4; setp.gt.u32 %p3, %r4, 100000; @%p3 bra end; red.relaxed.gpu.global.add.u32 [%d2], 1;' 3
lacks out '[livelock]'

# A compare-and-swap that fails leaves the counter as it is.
check failing 'atom.relaxed.gpu.global.add.u32 %r4, [%d2], 1; setp.gt.u32 %p3, %r4, 1000; @%p3 bra end; atom.relaxed.gpu.global.cas.b32 %r5, [%d2], 5000, 0;' 3
lacks out '[livelock]'
