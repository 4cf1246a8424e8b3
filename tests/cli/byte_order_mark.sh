# Editors put a mark before UTF-8: it is no part of any format, and no column is counted for it.
. "$WARPSAN_ROOT/tests/cli/common.inc"
. "$WARPSAN_ROOT/tests/cli/kernels.inc"
mark() {
  printf '\357\273\277' | cat - "$1" >marked && mv marked "$1"
}
write_weak t.litmus
mark t.litmus
status 0 "$WARPSAN" check t.litmus
write_message m.ptx acquire.gpu
mark m.ptx
echo "// launch: $message_launch" >launches
mark launches
status 0 "$WARPSAN" check --launch-from launches m.ptx
echo 'nonsense' >bad.litmus
mark bad.litmus
status 2 "$WARPSAN" check bad.litmus
has err 'bad.litmus:1:1: error: '
has err '      1 | nonsense'
printf '\357\273\277' >empty.litmus
status 2 "$WARPSAN" check empty.litmus
has err 'empty.litmus:1:1: error: '
