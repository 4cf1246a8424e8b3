# `warpsan run`: values that nothing has defined are reported where something depends on them.
. "$WARPSAN_ROOT/tests/cli/common.inc"
kernel() {
  cat <<EOT
.version 8.3
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x) {
  .reg .pred %p<8>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<8>;
  .shared .align 4 .b8 s[128];
  .local .align 16 .b8 own[32];
  ld.param.u64 %rd1, [x];
  mov.u32 %r3, %tid.x;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd3, %rd1, %rd2;
  setp.lt.u32 %p1, %r3, 20;
$1
  ret;
}
EOT
}
run() {
  kernel "$2" >undefined.ptx
  status "$1" "$WARPSAN" run --launch "kernel=k grid=${blocks:-2} block=32 args=x:u32[32]=0" undefined.ptx
}
found() {
  run 1 "$1"
  has out "undefined.ptx:$2:1: warning: $3"
  has out "[uninitialised]"
}
clean() { run 0 "$1"; }
register="this uses a register that nothing has written"
shuffle="this shuffle reads a lane that takes no part in it, and the value is used"

# A register that nothing writes: stored, an address, a branch, a guard, the operand of an atomic.
store='atom.exch.b32 %r15, [%rd3],'
found "$store %r4;" 15 "$register: \`$store %r4\`, block 0 thread 0 and 63 others"
found "add.u32 %r5, %r4, 1;
mov.u32 %r6, %r5;
$store %r6;" 17 "$register"
found 'ld.global.u32 %r5, [%rd4];' 15 "$register"
found 'setp.eq.u32 %p2, %r4, 7;
@%p2 bra $L; mov.u32 %r5, 1; bar.sync 0; $L:' 16 "$register"
found '@%p3 mov.u32 %r5, 1;' 15 "$register"

# One that is written on some paths only is reported by the lanes that come another way.
found "@%p1 mov.u32 %r4, %r3;
$store %r4;" 16 "$register: \`$store %r4\`, block 0 thread 20 and 23 others"
clean "@%p1 mov.u32 %r4, %r3;
bar.sync 0;
@%p1 $store %r4;"

# Nothing depends on these.
clean "add.u32 %r5, %r4, 1; selp.b32 %r6, %r3, %r5, %p1; @%p1 $store %r6;"
clean "and.b32 %r5, %r4, 0; $store %r5;"
clean "setp.lt.u32 %p2, %r3, 0; setp.eq.and.u32 %p3, %r4, 7, %p2; @%p3 $store 1;"
clean "setp.lt.u32 %p2, %r3, 0; and.pred %p4, %p2, %p3; @%p4 $store 1;"
clean 'bar.warp.sync 0xffffffff; mul.wide.u32 %rd4, %r3, 4; mov.u64 %rd5, s; add.u64 %rd4, %rd4, %rd5;
st.shared.u32 [%rd4], %r4;'

# A lane that has left, or is in no mask: what comes from there may not be used.
exchange='shfl.sync.down.b32 %r5|%p2, %r3, 1, 31, 0xfffff;'
found "@!%p1 ret;
$exchange
$store %r5;" 16 "$shuffle: "
has out "block 0 thread 19"
has out "undefined.ptx:17:1: note: it is used here"
clean "@!%p1 ret; $exchange setp.lt.u32 %p3, %r3, 19; @%p3 $store %r5;"
clean "@!%p1 ret; $exchange setp.lt.u32 %p3, %r3, 19; selp.b32 %r6, %r5, 0, %p3; $store %r6;"
found "@!%p1 ret;
$exchange
shfl.sync.idx.b32 %r6, %r5, 19, 31, 0xfffff;
$store %r6;" 16 "$shuffle: "
clean 'shfl.sync.up.b32 %r5|%p2, %r3, 1, 0, -1; atom.exch.b32 %r15, [%rd3], %r5;'

# Local memory: an element of a vector is undefined if all of the vector is.
found "ld.local.u32 %r5, [own+4];
$store %r5;" 15 "this reads memory that nothing has written: \`ld.local.u32 %r5, [own+4]\`"
found "st.local.u32 [own], %r4;
ld.local.u32 %r5, [own];
$store %r5;" 16 "this reads memory that nothing has written"
clean "st.local.u32 [own], %r3; ld.local.u32 %r5, [own]; $store %r5;"
clean "st.local.u32 [own], %r3; ld.local.v4.u32 {%r5, %r6, %r7, %r8}, [own]; $store %r8;"
clean "ld.local.u32 %r5, [own+4]; st.local.u32 [own+8], %r5;"

# Bits of a word: fields are written one after the other, each beside what was there.
fields='ld.local.u32 %r5, [own]; and.b32 %r6, %r5, -8; or.b32 %r6, %r6, 5; st.local.u32 [own], %r6;'
clean "$fields ld.local.u32 %r7, [own]; and.b32 %r7, %r7, 7; $store %r7;"
clean "$fields ld.local.u8 %r7, [own]; shl.b32 %r7, %r7, 29; shr.s32 %r7, %r7, 29; $store %r7;"
clean "$fields ld.local.u32 %r7, [own]; bfe.u32 %r7, %r7, 1, 2; setp.eq.u32 %p2, %r7, 2; @%p2 $store 1;"
clean "bfi.b32 %r5, %r3, %r4, 8, 8; bfe.u32 %r6, %r5, 10, 6; $store %r6;"
clean "prmt.b32 %r5, %r3, %r4, 0x6541; prmt.b32 %r6, %r5, 0, 0x4440; $store %r6;"
clean "mov.b64 %rd4, {%r3, %r4}; st.local.u64 [own], %rd4; ld.local.u32 %r5, [own]; $store %r5;"
clean "and.b32 %r5, %r4, -8; setp.lt.u32 %p2, %r5, 8; setp.eq.u32 %p3, %r5, 3; @%p3 $store 1;"
# The bits that nothing has written.
found "$fields
ld.local.u32 %r7, [own];
and.b32 %r7, %r7, 8;
$store %r7;" 16 "this reads memory that nothing has written: \`ld.local.u32 %r7, [own]\`"
found "$fields
ld.local.u32 %r7, [own];
bfe.u32 %r7, %r7, 2, 2;
setp.eq.u32 %p2, %r7, 1;
@%p2 bra \$L; mov.u32 %r5, 1; bar.sync 0; \$L:" 16 "this reads memory that nothing has written"
found "bfi.b32 %r5, %r3, %r4, 8, 8; bfe.u32 %r6, %r5, 10, 7;
$store %r6;" 16 "$register"
found "mov.b64 %rd4, {%r3, %r4}; st.local.u64 [own], %rd4;
ld.local.u32 %r5, [own+4];
$store %r5;" 16 "this reads memory that nothing has written"
# A store of a part of an undefined value, but not one beside which there is something.
plain='st.global.u32 [%rd3],' blocks=1
found "and.b32 %r5, %r4, 255;
$plain %r5;" 16 "$register"
clean "and.b32 %r5, %r4, -8; or.b32 %r5, %r5, %r3; $plain %r5;"
found "@!%p1 ret;
$exchange
and.b32 %r6, %r5, 1; or.b32 %r6, %r6, 2;
$plain %r6;" 16 "$shuffle: "

# The same of `check`, which gives the finding of one thread.
check() {
  kernel "$2" >undefined.ptx
  status "$1" "$WARPSAN" check --launch 'kernel=k grid=1 block=32 args=x:u32[32]=0' undefined.ptx
}
check 0 "$fields ld.local.u32 %r7, [own]; and.b32 %r7, %r7, 7; $store %r7;"
check 0 "$fields ld.local.u8 %r7, [own]; shl.b32 %r7, %r7, 29; shr.s32 %r7, %r7, 29; $store %r7;"
check 0 "st.local.u32 [own], %r3; ld.local.v4.u32 {%r5, %r6, %r7, %r8}, [own]; $store %r8;"
check 0 "ld.local.u32 %r5, [own+4]; st.local.u32 [own+8], %r5;"
check 0 "ld.local.u32 %r5, [own]; st.local.u16 [own+2], %r3; and.b32 %r6, %r5, -8; $plain 1;"
check 1 "$fields
ld.local.u32 %r7, [own];
and.b32 %r7, %r7, 8;
$store %r7;"
has out "undefined.ptx:16:1: warning: this reads memory that nothing has written: \`ld.local.u32 %r7, [own]\`"
has out "undefined.ptx:18:1: note: it is used here"
check 1 "st.local.u32 [own], 0;
ld.local.u64 %rd4, [own];
st.local.u8 [own+8], %rd4; shr.u64 %rd5, %rd4, 32; st.local.u32 [own+12], %rd5;
ld.local.u32 %r5, [own+12];
$plain %r5;"
has out "undefined.ptx:18:1: warning: this reads memory that nothing has written"
