# A folder stands for its litmus tests, in an order that does not depend on the file system.
. "$WARPSAN_ROOT/tests/cli/common.inc"
mkdir -p tests/b tests/a tests/.hidden
write_weak tests/b/2.litmus
write_weak tests/a/1.litmus
write_weak tests/z.litmus
write_weak tests/.hidden/no.litmus
echo 'not a test' >tests/README.md
ln -s .. tests/a/circle
status 0 "$WARPSAN" check tests
[ "$(grep -o '^tests[^:]*' out | tr '\n' ' ')" = 'tests/a/1.litmus tests/b/2.litmus tests/z.litmus ' ] ||
  fail "$(cat out)"
status 0 "$WARPSAN" check tests/
has out 'tests/a/1.litmus: ptx'
mkdir empty
status 2 "$WARPSAN" check empty
has err "expected *.litmus files, or kernels with launch lines, below 'empty', found none"
