# A folder stands for its kernels with launch lines, too; what is passed over is named.
. "$WARPSAN_ROOT/tests/cli/common.inc"
. "$WARPSAN_ROOT/tests/cli/kernels.inc"
mkdir -p tests/b tests/.hidden
write_weak tests/z.litmus
write_message tests/b/racy.ptx relaxed.gpu
write_message tests/b/right.ptx acquire.gpu
write_message tests/plain.ptx acquire.gpu
write_message tests/.hidden/no.ptx acquire.gpu
for file in tests/b/racy.ptx tests/b/right.ptx; do
  sed -i "1i// launch: $message_launch" "$file"
done
echo 'no input' >tests/notes.txt
inputs() {
  grep -o '^tests[^:]*: ptx' out | sed 's/: ptx//' | tr '\n' ' '
}
status 1 "$WARPSAN" check --no-witness tests
[ "$(inputs)" = 'tests/b/racy.ptx tests/b/right.ptx tests/z.litmus ' ] || fail "$(cat out)"
has err "warpsan: skipped tests/plain.ptx: it has no line '// launch: ...'"
has err 'warpsan: 3 inputs: 2 clean, 1 with findings, 0 incomplete, 0 bad, 1 skipped'
lacks err notes.txt
# They are run, too, and litmus tests are not.
status 1 "$WARPSAN" run --no-witness tests
[ "$(inputs)" = 'tests/b/racy.ptx tests/b/right.ptx ' ] || fail "$(cat out)"
has err "warpsan: skipped tests/plain.ptx: it has no line '// launch: ...'"
has err 'warpsan: 2 inputs: 1 clean, 1 with findings, 0 incomplete, 0 bad, 1 skipped'
mkdir litmus && cp tests/z.litmus litmus
status 2 "$WARPSAN" run litmus
has err "warpsan: error: expected kernels with launch lines below 'litmus', found none"
status 2 "$WARPSAN" run litmus/z.litmus
has err 'litmus/z.litmus: error: expected kernels, found a litmus test'
# Quietly, and only what is asked for.
status 1 "$WARPSAN" check -q --no-witness tests
lacks err skipped
status 1 "$WARPSAN" check --no-witness tests/b
has err 'warpsan: 2 inputs: 1 clean, 1 with findings, 0 incomplete, 0 bad'
lacks err skipped
# PTX beside a source of its stem is compiled from it.
printf '__global__ void k() {}\n' >tests/b/right.cu
printf 'void k(void) {}\n' >tests/b/racy.c
status 2 "$WARPSAN" check tests/b
has err "warpsan: skipped tests/b/racy.c: it has no line '// launch: ...'"
has err "warpsan: skipped tests/b/right.cu: it has no line '// launch: ...'"
has err "expected *.litmus files, or kernels with launch lines, below 'tests/b', found none"
rm tests/b/right.cu tests/b/racy.c
# Launches of the command line make kernels of all files, and those of the comments are more of them.
mkdir plain
write_message plain/one.ptx acquire.gpu
status 2 "$WARPSAN" check plain
status 0 "$WARPSAN" check --launch "$message_launch" plain
has out 'plain/one.ptx: ptx: no finding'
# What cannot be read is an input, so that it is told.
ln -s nowhere tests/b/broken.ptx
status 2 "$WARPSAN" check --no-witness tests/b
has err 'tests/b/broken.ptx'
# Others look for litmus tests only.
status 0 "$WARPSAN" outcomes tests
lacks out racy
