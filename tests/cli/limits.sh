# A search that a limit cut short is incomplete: status 3, and no verdict that is not certain.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_strong strong.litmus
status 3 "$WARPSAN" check --max-executions 1 strong.litmus
has out 'strong.litmus: ptx: unknown'
has out 'incomplete: '
status 3 "$WARPSAN" check --max-executions 1 --format json strong.litmus
has out '"complete": false'
has out '"holds": null'
