# --no-witness leaves executions out of every format.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak weak.litmus
status 0 "$WARPSAN" check weak.litmus
has out ' -> '
status 0 "$WARPSAN" check --no-witness weak.litmus
lacks out ' -> '
status 0 "$WARPSAN" check --no-witness --format json weak.litmus
has out '"witness": null'
