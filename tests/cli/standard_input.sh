# `-` is the standard input.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak weak.litmus
status 0 "$WARPSAN" check - <weak.litmus
has out '<stdin>: ptx: allowed'
status 0 "$WARPSAN" check --format json - <weak.litmus
has out '"input": "<stdin>"'
status 2 "$WARPSAN" check - </dev/null
has err '<stdin>:1:1: error: '
