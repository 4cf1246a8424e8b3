# A test may state its verdict; another one is a finding, and a violation that it states is none.
. "$WARPSAN_ROOT/tests/cli/common.inc"
expecting() {
  file=$1
  quantifier=$2
  shift 2
  write_weak "$file" "$quantifier"
  { head -n 1 "$file"; printf '(* %s *)\n' "$@"; tail -n +2 "$file"; } >with
  mv with "$file"
}
expecting right.litmus exists 'expect ptx: allowed race=no executions=4' 'expect sc: forbidden executions=3'
status 0 "$WARPSAN" check --model ptx,sc right.litmus
has out 'right.litmus: ptx: allowed, as expected'
has out 'right.litmus: sc: forbidden, as expected'
expecting wrong.litmus exists 'expect ptx: forbidden executions=5'
status 1 "$WARPSAN" check wrong.litmus
has out "wrong.litmus:2:16: error: expected 'forbidden' under ptx, found 'allowed' [expectation]"
has out 'wrong.litmus:2:26: error: expected 5 executions under ptx, found 4 [expectation]'
status 0 "$WARPSAN" check --model sc wrong.litmus
expecting violated.litmus '~exists' 'expect ptx: allowed'
status 0 "$WARPSAN" check violated.litmus
has out 'violated.litmus: ptx: violated, as expected'
expecting bad.litmus exists 'expect ptx: perhaps'
status 2 "$WARPSAN" check bad.litmus
has err "bad.litmus:2:16: error: expected 'allowed', 'forbidden', 'race=yes', 'race=no' or 'executions=N' in an expectation, found 'perhaps'"
expecting colon.litmus exists 'expect ptx allowed'
status 2 "$WARPSAN" check colon.litmus
has err "expected ':' after the model of an expectation"
