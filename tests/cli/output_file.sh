# -o writes the file as a whole or not at all.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak weak.litmus
echo old >report
status 0 "$WARPSAN" check -o report weak.litmus
has report 'weak.litmus: ptx: allowed'
lacks report old
[ ! -s out ] || fail "something was printed"
[ "$(ls | grep -c 'report\.')" = 0 ] || fail "a temporary file was left behind"
status 2 "$WARPSAN" check -o no/such/folder/report weak.litmus
has err "cannot write 'no/such/folder/report'"
status 0 "$WARPSAN" check -o /dev/null weak.litmus
[ -c /dev/null ] || fail "/dev/null was replaced"
if [ -c /dev/full ]; then
  status 2 "$WARPSAN" check -o /dev/full weak.litmus
  has err 'cannot write'
  for words in 'check weak.litmus' 'help' 'explain' 'models --print' 'version'; do
    "$WARPSAN" $words >/dev/full 2>err
    [ $? = 2 ] || fail "a full disk went unnoticed: $words"
    [ "$(grep -c 'cannot write' err)" = 1 ] || fail "$(cat err)"
  done
fi
umask 027
status 0 "$WARPSAN" check --output=fresh weak.litmus
[ "$(stat -c %a fresh)" = 640 ] || fail "the file's mode is $(stat -c %a fresh)"
