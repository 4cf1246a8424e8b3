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

# Two racing writes that have to be ordered, in whichever way, and a thread that waits for a third.
cat >stuck.litmus <<'TEST'
PTX stuck
{
x=0;
}
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0      | P2@cta 2,gpu 0       ;
 st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 | LC00:                ;
                     |                     | ld.relaxed.gpu r0, x ;
                     |                     | bne r0, 3, LC00      ;
exists (P2:r0 == 3)
TEST
for how in "" --interpret; do
  status 1 "$WARPSAN" check --property termination --no-witness --model ptx $how stuck.litmus
  grep -q "P2 waits in a loop .* \[deadlock\]" out || fail "no deadlock $how: $(cat out)"
done
