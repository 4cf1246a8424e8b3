# PTX names the file that it was made of: its lines are shown where it lies beside the PTX.
. "$WARPSAN_ROOT/tests/cli/common.inc"
example=$WARPSAN_ROOT/examples/kernels/m05-scope-is-about-threads-wrong
launch='kernel=relay grid=2 block=64 args=data:u32[1]=0,flag:u32[1]=0,copy:u32[1]=5'

cp "$example.ptx" alone.ptx
status 1 "$WARPSAN" check --no-witness --launch "$launch" alone.ptx
has out ':16:1: error:'
if grep -q '^ *16 |' out; then fail 'a line of a file that is not at hand'; fi

cp "$example.cu" .
status 1 "$WARPSAN" check --no-witness --launch "$launch" alone.ptx
has out ':16:9: error:'
has out '     16 |         ready.store(1, cuda::memory_order_release);'
