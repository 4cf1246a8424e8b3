# Built-in models are listed, printed, and can be run from their printed text.
. "$WARPSAN_ROOT/tests/cli/common.inc"
status 0 "$WARPSAN" models
for model in ptx60 ptx cuda rc11 c11 tso sc; do
  grep -q "^$model " out || fail "$model is not listed"
done
status 0 "$WARPSAN" models --print ptx
has out Causality
cp out mine.cat
write_weak weak.litmus
write_strong strong.litmus
status 0 "$WARPSAN" check --model mine.cat weak.litmus strong.litmus
has out 'weak.litmus: mine.cat: allowed'
has out 'strong.litmus: mine.cat: forbidden'
status 2 "$WARPSAN" models nonsense
has err "expected a built-in model, found 'nonsense'"
status 2 "$WARPSAN" check --model nonsense weak.litmus
has err "expected a .cat file or a built-in model (ptx60, ptx, cuda, rc11, c11, tso, sc), found 'nonsense'"
[ "$(wc -l <err)" = 1 ] || fail "the same error is told again: $(cat err)"
