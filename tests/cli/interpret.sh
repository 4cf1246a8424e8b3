# --interpret judges by the text of the model; the answers are the same.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak weak.litmus
write_strong strong.litmus
for model in ptx60 ptx cuda tso sc; do
  status 0 "$WARPSAN" check --property program --no-witness --model $model weak.litmus strong.litmus
  sed "s/, [0-9]* blocked//" out >native
  status 0 "$WARPSAN" check --property program --no-witness --interpret --model $model weak.litmus strong.litmus
  # How many dead ends a search met depends on how it searches.
  sed "s/, [0-9]* blocked//" out >interpreted
  cmp -s native interpreted || fail "$(diff native interpreted)"
done
