# The exit status says what was found; whether `exists` can be met is an answer, not a finding.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak weak.litmus
write_strong strong.litmus
write_weak never.litmus '~exists'
write_strong always.litmus '~exists'
status 0 "$WARPSAN" check weak.litmus
has out 'weak.litmus: ptx: allowed'
status 0 "$WARPSAN" check strong.litmus
has out 'strong.litmus: ptx: forbidden'
status 1 "$WARPSAN" check never.litmus
has out 'never.litmus: ptx: violated'
status 0 "$WARPSAN" check always.litmus
has out 'always.litmus: ptx: holds'
status 2 "$WARPSAN" check missing.litmus
has err 'missing.litmus: error: expected a readable file, found: no such file or directory'
