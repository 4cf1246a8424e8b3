# Files are checked in the order given; a bad one does not stop the others, and decides the status.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak b.litmus
write_strong a.litmus
echo 'PTX x { } nonsense' >bad.litmus
status 2 "$WARPSAN" check b.litmus bad.litmus a.litmus
[ "$(grep -c '^[ab].litmus: ptx:' out)" = 2 ] || fail "$(cat out)"
[ "$(grep '^[ab].litmus' out | head -n 1 | cut -c 1)" = b ] || fail "the order is not that of the arguments"
has err 'bad.litmus:1:11: error: '
has err 'warpsan: 3 inputs: 2 clean, 0 with findings, 0 incomplete, 1 bad'
