# PTX of Triton: launch lines in comments of the .py, and findings that show its lines.
. "$WARPSAN_ROOT/tests/cli/common.inc"
. "$WARPSAN_ROOT/tests/cli/kernels.inc"
write_message k.ptx relaxed.gpu
sed -i '1s|^|//\n|; s|^  ld.global.u32 %r3|  .loc 1 6 5\n&|' k.ptx
echo '.file 1 "/home/me/kernels.py"' >>k.ptx
cat >kernels.py <<END
"""Docstrings may hold /* anything."""
# launch: $message_launch
# // launch: kernel=none
#
def message(data, flag, seen):
    seen.store(data.load())
END
status 1 "$WARPSAN" check --no-witness k.ptx
has out 'kernels.py:6:5: note: the other access'
has out '      6 |     seen.store(data.load())'
mkdir sources && mv kernels.py sources
status 2 "$WARPSAN" check k.ptx
status 1 "$WARPSAN" check --no-witness --launch-from sources/kernels.py k.ptx
has out 'kernels.py:6:5: note: the other access'
has out '      6 |     seen.store(data.load())'
