# `ptx` prints a module as it was understood, and what it prints is the same module.
. "$WARPSAN_ROOT/tests/cli/common.inc"
. "$WARPSAN_ROOT/tests/cli/kernels.inc"
write_message m.ptx acquire.gpu
status 0 "$WARPSAN" ptx m.ptx
cp out printed.ptx
status 0 "$WARPSAN" ptx printed.ptx
cmp -s out printed.ptx || fail "$(diff printed.ptx out)"
status 0 "$WARPSAN" ptx -o file.ptx m.ptx
cmp -s file.ptx printed.ptx || fail "$(diff printed.ptx file.ptx)"
status 0 "$WARPSAN" ptx - <m.ptx
cmp -s out printed.ptx || fail "$(diff printed.ptx out)"
status 0 "$WARPSAN" ptx --list m.ptx
has out 'kernel message'
has out '  u64 data'
has out '  // launch: kernel=message grid=1 block=32 args=data:u32[32]=0,flag:u32[32]=0,seen:u32[32]=0'
status 2 "$WARPSAN" ptx
has err 'expected a file, found nothing'
status 2 "$WARPSAN" ptx /no/such.ptx
has err 'expected a readable file'
echo 'nonsense' >bad.ptx
status 2 "$WARPSAN" ptx bad.ptx m.ptx
has err 'bad.ptx:1:1: error:'
has out '.entry message'
