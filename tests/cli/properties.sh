# --property chooses the question.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_mp race.litmus st.weak ld.weak '~exists'
status 1 "$WARPSAN" check --property program race.litmus
has out 'ptx: violated'
lacks out data-race
status 1 "$WARPSAN" check --property race --model cuda race.litmus
has out '[data-race'
lacks out violated
status 0 "$WARPSAN" check --property termination race.litmus
has out 'ptx: nothing found'
