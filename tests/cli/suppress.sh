# --suppress hides findings of both engines and counts them; a wrong file is told with its place.
. "$WARPSAN_ROOT/tests/cli/common.inc"
. "$WARPSAN_ROOT/tests/cli/kernels.inc"
write_instruction race.ptx 'st.global.u32 [%rd1], %r1;'
hide() {
  printf "$1\n" >hide
}
for engine in check run; do
  status 1 "$WARPSAN" "$engine" race.ptx
  has out "[data-race:"
  hide '# noise\n\ndata-race file=r*.ptx'
  status 0 "$WARPSAN" "$engine" --suppress hide race.ptx
  has out "1 suppressed"
  lacks out "[data-race:"
  status 0 "$WARPSAN" "$engine" --suppress hide --format json race.ptx
  has out '"findings": [], "suppressed": 1'
  status 0 "$WARPSAN" "$engine" --suppress hide --format sarif race.ptx
  has out '"results": []'
  hide 'data-race file=other.ptx'
  status 1 "$WARPSAN" "$engine" --suppress hide race.ptx
  lacks out "suppressed"
  hide '* function=st.global.u32'
  status 0 "$WARPSAN" "$engine" --suppress hide race.ptx
  hide 'data-rice'
  status 2 "$WARPSAN" "$engine" --suppress hide race.ptx
  has err "hide:1:1: error: expected '*' or a rule (see 'warpsan explain'), found 'data-rice'"
  hide 'data-race line=3'
  status 2 "$WARPSAN" "$engine" --suppress hide race.ptx
  has err "hide:1:11: error: expected file=PATTERN or function=PATTERN, found 'line=3'"
  status 2 "$WARPSAN" "$engine" --suppress nowhere race.ptx
  has err "'nowhere', which is to name findings to hide: expected a readable file"
done
# Of a litmus test, too.
cat >t.litmus <<'END'
PTX t
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak x, 1   | ld.weak r0, x  ;
exists (P1:r0 == 1)
END
status 1 "$WARPSAN" check t.litmus
hide 'no-synchronisation'
status 0 "$WARPSAN" check --suppress hide t.litmus
has out "2 states, 1 suppressed"
