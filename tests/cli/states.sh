# Many states are cut in text, unless --states asks for all.
. "$WARPSAN_ROOT/tests/cli/common.inc"
cat >many.litmus <<'END'
PTX many
{ x=0; y=0; z=0; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0       ;
 st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;
 st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, y ;
 st.relaxed.gpu z, 1 | ld.relaxed.gpu r2, z ;
 st.relaxed.gpu u, 1 | ld.relaxed.gpu r3, u ;
 st.relaxed.gpu v, 1 | ld.relaxed.gpu r4, v ;
exists (P1:r0 == 1 /\ P1:r1 == 0 /\ P1:r2 == 1 /\ P1:r3 == 0 /\ P1:r4 == 0)
END
status 0 "$WARPSAN" check many.litmus
has out '... and 16 more (--states lists all)'
status 0 "$WARPSAN" check --states many.litmus
lacks out ' more '
[ "$(grep -c 'in 1 execution' out)" = 32 ] || fail "$(cat out)"
