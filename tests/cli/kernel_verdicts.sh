# Kernels: what is wrong is found, with its rule and place, and what is right is clean and complete.
. "$WARPSAN_ROOT/tests/cli/common.inc"
. "$WARPSAN_ROOT/tests/cli/kernels.inc"
clean() {
  status 0 "$WARPSAN" check "$@"
  has out 'ptx: no finding ('
  has out 'complete)'
}
# finds RULE LINE ARGUMENTS...
finds() {
  rule=$1
  line=$2
  shift 2
  status 1 "$WARPSAN" check --no-witness "$@"
  grep -q ":$line:[0-9]*: [a-z]*: .*\[$rule" out || {
    cat out
    fail "expected $rule at line $line"
  }
}
write_message right.ptx acquire.gpu
clean --launch "$message_launch" --final 'seen[0] == 42' right.ptx
write_message relaxed.ptx relaxed.gpu
finds data-race:acquire-missing 16 --launch "$message_launch" relaxed.ptx
has out 'relaxed.ptx:23:3: note:'
write_message block.ptx acquire.cta
finds data-race:scope-too-narrow 17 --launch "$message_launch" block.ptx
write_exchange right.ptx 'bar.sync 0;'
clean right.ptx
write_exchange wrong.ptx ''
finds data-race:barrier-missing 16 wrong.ptx
write_instruction t.ptx 'st.global.u32 [%rd3], %r1;'
clean --final 'out[i] == i for i=0..3' t.ptx
write_instruction t.ptx '@%p1 trap;'
finds trap 16 t.ptx
write_instruction t.ptx 'st.global.u32 [%rd3+4], %r1;'
finds out-of-bounds 16 t.ptx
write_instruction t.ptx '@%p1 st.global.u32 [%rd3+2], %r1;'
finds misaligned 16 t.ptx
write_instruction t.ptx 'st.global.u32 [%rd1], %r1;'
finds data-race 16 t.ptx
write_instruction t.ptx '@%p1 bar.sync 0, 64;'
finds deadlock 16 t.ptx
