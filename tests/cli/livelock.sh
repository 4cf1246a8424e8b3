# Loops with side effects that may go round for ever. The search cuts them; the answer is certain.
. "$WARPSAN_ROOT/tests/cli/common.inc"
cat >taking-turns.litmus <<'END'
PTX taking-turns
"two threads undo each other's exchange for ever"
{ x=0; }
 P0@cta 0,gpu 0                 | P1@cta 1,gpu 0                 ;
 LC00:                          | LC10:                          ;
 atom.relaxed.gpu.exch r0, x, 0 | atom.relaxed.gpu.exch r0, x, 1 ;
 beq r0, 1, LC00                | beq r0, 0, LC10                ;
exists (P0:r0 == 0)
END
cat >endless-lock.litmus <<'END'
PTX endless-lock
"a thread that takes a lock again and again may keep another one out for ever"
{ l=0; }
 P0@cta 0,gpu 0                   | P1@cta 1,gpu 0                   ;
 LC00:                            | LC10:                            ;
 atom.acquire.gpu.cas r0, l, 0, 1 | atom.acquire.gpu.cas r0, l, 0, 1 ;
 bne r0, 0, LC00                  | bne r0, 0, LC10                  ;
 st.release.gpu l, 0              | st.release.gpu l, 0              ;
 goto LC00                        |                                  ;
exists (P1:r0 == 0)
END
cat >counting.litmus <<'END'
PTX counting
"each thread counts to three"
{ x=0; }
 P0@cta 0,gpu 0                | P1@cta 1,gpu 0                ;
 LC00:                         | LC10:                         ;
 atom.relaxed.gpu.add r0, x, 1 | atom.relaxed.gpu.add r0, x, 1 ;
 blt r0, 2, LC00               | blt r0, 2, LC10               ;
exists (x == 4)
END

for test in taking-turns endless-lock; do
  status 1 "$WARPSAN" check --property termination --unroll 3 $test.litmus
  has out 'P0 goes round in a loop that may never end [livelock]'
  has out 'P1 goes round in a loop too'
  lacks out incomplete
done
# Other questions are not answered by it.
status 1 "$WARPSAN" check --unroll 3 taking-turns.litmus
has out incomplete

status 0 "$WARPSAN" check --property termination counting.litmus
has out 'nothing found'
# What was cut may end: nothing is claimed.
status 3 "$WARPSAN" check --property termination --unroll 1 counting.litmus
lacks out livelock
