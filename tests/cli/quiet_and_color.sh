# -q prints what needs attention; colours are there if asked for, or on a terminal.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak fine.litmus
write_weak violated.litmus '~exists'
status 1 "$WARPSAN" check -q fine.litmus violated.litmus
lacks out fine.litmus
has out 'violated.litmus: ptx: violated'
[ ! -s err ] || fail "$(cat err)"
escape=$(printf '\033')
status 0 "$WARPSAN" check fine.litmus
lacks out "$escape"
status 0 "$WARPSAN" check --color always fine.litmus
has out "$escape[1m"
status 0 "$WARPSAN" check --color never fine.litmus
lacks out "$escape"
status 2 "$WARPSAN" check --color always missing
has err "$escape[1;31merror"
