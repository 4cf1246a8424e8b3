# `warpsan run`: exit statuses, seeds, limits, dumps, JSON.
. "$WARPSAN_ROOT/tests/cli/common.inc"
kernel() {
  cat <<EOT
.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x) {
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r4, 4;
  add.u64 %rd3, %rd1, %rd2;
$1
  ret;
}
EOT
}

# A million threads, each writes its number.
kernel 'st.global.u32 [%rd3], %r4;' >number.ptx
set -- "$WARPSAN" run --launch 'kernel=k grid=4096 block=256 args=x:u32[1048576]=0'
status 0 "$@" --final 'x[i] == i for i=0..1048575' number.ptx
has out "no finding (1 run of 1048576 threads in 4096 blocks"
status 1 "$@" --final 'x[5] == 6' number.ptx
has out "a run ends with wrong results"

# --dump writes the bytes of a buffer; what cannot be written is an error.
status 0 "$WARPSAN" run --launch 'kernel=k grid=1 block=4 args=x:u32[4]=9' --dump x=bytes number.ptx
[ "$(od -An -tu4 bytes | tr -s ' ')" = " 0 1 2 3" ] || fail "dumped $(od -An -tu4 bytes)"
status 2 "$WARPSAN" run --launch 'kernel=k grid=1 block=4 args=x:u32[4]=9' --dump x=none/bytes number.ptx
has err "cannot write 'none/bytes': no such file or directory"
status 2 "$WARPSAN" run --launch 'kernel=k grid=1 block=4 args=x:u32[4]=9' --dump y=other --dump x=bytes number.ptx
has err "expected a buffer of a launch after --dump, found 'y'"
[ ! -e other ] || fail "a file for a buffer that nobody has"

# Two threads behind the end of the buffer: named with the buffer and the distance; others go on.
status 1 "$WARPSAN" run --launch 'kernel=k grid=1 block=34 args=x:u32[32]=0' --final 'x[31] == 31' number.ptx
has out "number.ptx:15:1: error: this access is outside of every buffer"
has out "block 0 thread 32 and 1 other [out-of-bounds]"
has out "right behind the end of 'x' (128 bytes)"

# The same seed gives the same output, and so does any number of threads.
kernel 'atom.global.exch.b32 %r5, [%rd1], %r4;' >order.ptx
for seed in 3 4; do
  for jobs in 1 3; do
    status 0 "$WARPSAN" run --seed $seed -j $jobs --dump x=$seed.$jobs \
      --launch 'kernel=k grid=64 block=64 args=x:u32[1]=0' order.ptx
  done
  cmp $seed.1 $seed.3 || fail "seed $seed differs with -j 3"
done
cmp -s 3.1 4.1 && fail "two seeds gave the same last writer"

# Limits end a run, and say so; a loop in which nothing changes is a finding.
kernel '$L: add.u32 %r4, %r4, 1; bra $L;' >endless.ptx
status 3 "$WARPSAN" run --timeout 0.2 --launch 'kernel=k grid=2 block=32 args=x:u32[1]=0' endless.ptx
has out "incomplete: stopped after 0.2 seconds"
status 3 "$WARPSAN" run --max-instructions 1000 --launch 'kernel=k grid=2 block=32 args=x:u32[1]=0' endless.ptx
has out "incomplete: stopped after 1000 instructions"
kernel '$L: bra $L;' >empty.ptx
status 1 "$WARPSAN" run --launch 'kernel=k grid=2 block=32 args=x:u32[1]=0' empty.ptx
has out "is in a loop that nothing ends"
kernel '$L: ld.relaxed.gpu.global.u32 %r5, [%rd1]; setp.eq.u32 %p1, %r5, 0; @%p1 bra $L;' >poll.ptx
status 1 "$WARPSAN" run --launch 'kernel=k grid=2 block=32 args=x:u32[1]=0' poll.ptx
has out "waits in a loop for a value that never comes"
has out "[deadlock]"

# Lanes that spin do not keep others of their warp from what they wait for.
kernel 'setp.eq.u32 %p2, %r3, 31;
  @%p2 bra $GIVE;
$L: ld.relaxed.gpu.global.u32 %r5, [%rd1]; setp.eq.u32 %p1, %r5, 0; @%p1 bra $L;
  ret;
$GIVE: st.relaxed.gpu.global.u32 [%rd1], 1;' >spin.ptx
status 0 "$WARPSAN" run --launch 'kernel=k grid=1 block=32 args=x:u32[1]=0' spin.ptx

# Blocks that do not fit cannot be waited for; those that do fit can.
kernel 'setp.eq.u32 %p2, %r1, 7;
  @%p2 bra $GIVE;
$L: ld.relaxed.gpu.global.u32 %r5, [%rd1]; setp.eq.u32 %p1, %r5, 0; @%p1 bra $L;
  ret;
$GIVE: st.relaxed.gpu.global.u32 [%rd1], 1;' >wait.ptx
status 0 "$WARPSAN" run --schedule round-robin --launch 'kernel=k grid=8 block=1 args=x:u32[1]=0' wait.ptx
status 1 "$WARPSAN" run --schedule round-robin --launch 'kernel=k grid=8 block=1 resident=2 args=x:u32[1]=0' wait.ptx
has out "[deadlock]"

# A barrier that some lanes of a warp never reach.
kernel 'setp.lt.u32 %p1, %r3, 16; @%p1 bar.sync 0; @!%p1 bar.sync 1;' >split.ptx
status 1 "$WARPSAN" run --launch 'kernel=k grid=1 block=32 args=x:u32[1]=0' split.ptx
has out "[barrier-divergence]"

kernel 'st.global.u32 [%rd1], %r4;' >race.ptx
status 0 "$WARPSAN" run --no-races --launch 'kernel=k grid=2 block=1 args=x:u32[1]=0' race.ptx

# JSON names the engine.
status 0 "$WARPSAN" run --format json --runs 3 --launch 'kernel=k grid=1 block=4 args=x:u32[4]=9' number.ptx
has out '"engine": "run"'
has out '"executions": 3'
has out '"threads": 4'

# A litmus test is no kernel.
write_weak t.litmus
status 2 "$WARPSAN" run t.litmus
has err "expected kernels, found a litmus test"
