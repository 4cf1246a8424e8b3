# Findings that are expected are no reason to fail, and a missing one is.
. "$WARPSAN_ROOT/tests/cli/common.inc"
. "$WARPSAN_ROOT/tests/cli/kernels.inc"
write_message racy.ptx relaxed.gpu
write_message right.ptx acquire.gpu
check() {
  expected_status=$1
  shift
  status "$expected_status" "$WARPSAN" check --no-witness --launch "$message_launch" "$@"
}
check 1 racy.ptx
check 0 --expect data-race racy.ptx
has out '1 finding, as expected'
check 0 --expect acquire-missing racy.ptx
check 1 --expect clean racy.ptx
lacks out 'as expected'
check 1 --expect deadlock racy.ptx
has out 'expected deadlock under ptx, found data-race:acquire-missing at line 16 [expectation]'
check 0 --expect clean right.ptx
check 1 --expect data-race right.ptx
has out 'expected data-race under ptx, found nothing [expectation]'
check 2 --expect data-rice right.ptx
has err "expected a rule or 'clean' as expectation, found 'data-rice'"
# A search that was cut short may have missed it.
check 3 --expect deadlock --max-executions 1 right.ptx
# What the file says; without the option, nothing comes of it.
state() {
  { printf '// launch: %s\n' "$message_launch"; printf '// %s\n' "$@"; } >lines.ptx
  cat racy.ptx >>lines.ptx
}
state 'expect: acquire-missing'
status 1 "$WARPSAN" check --no-witness lines.ptx
status 0 "$WARPSAN" check --no-witness --expect stated lines.ptx
state 'expect: deadlock' 'accept: livelock,data-race'
status 0 "$WARPSAN" check --no-witness --expect stated lines.ptx
state 'expect: data-race' 'where: 1,999'
status 1 "$WARPSAN" check --no-witness --expect stated lines.ptx
has out "expected data-race at one of the lines of 'where:' under ptx, found data-race"
state 'expect: data-race' 'where: 20'
status 0 "$WARPSAN" check --no-witness --expect stated lines.ptx
state 'expect: data-race' 'level: cuda'
status 0 "$WARPSAN" check --no-witness --expect stated lines.ptx
has out 'lines.ptx: cuda: '
state 'expect: data-race' 'accept: nonsense'
status 2 "$WARPSAN" check --no-witness --expect stated lines.ptx
has err "expected a rule in 'accept:', found 'nonsense'"
