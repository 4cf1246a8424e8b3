# A livelock of a kernel shows the accesses of one round of turns, in their order.
. "$WARPSAN_ROOT/tests/cli/common.inc"
case=$WARPSAN_ROOT/tests/cases/back-off-from-two-locks-bug
status 1 "$WARPSAN" check --launch-from "$case.cu" "$case.ptx"
has out 'turns that can be taken again and again:'
has out 'RW locks, byte 4: 1 -> 1'
has out 'one order of these accesses: e0, e1, e2, e3, e4, e5'
status 1 "$WARPSAN" check --no-witness --launch-from "$case.cu" "$case.ptx"
lacks out 'turns that can be taken again'
status 1 "$WARPSAN" check --format sarif --launch-from "$case.cu" "$case.ptx"
has out '"codeFlows"'
