# Several launches: one after the other they are ordered, side by side they race.
. "$WARPSAN_ROOT/tests/cli/common.inc"
. "$WARPSAN_ROOT/tests/cli/kernels.inc"
write_instruction t.ptx 'st.global.u32 [%rd3], %r1;'
sed -i 1d t.ptx
first='kernel=one grid=1 block=4 args=out:u32[4]=0'
second='kernel=one grid=1 block=4 args=out:u32[4]=0'
status 0 "$WARPSAN" check --relation sequential --launch "$first" --launch "$second" t.ptx
status 1 "$WARPSAN" check --relation concurrent --launch "$first" --launch "$second" t.ptx
has out '[data-race:stream-order-missing]'
# Another stream is not ordered either.
status 1 "$WARPSAN" check --launch "$first" --launch "$second stream=1" t.ptx
status 0 "$WARPSAN" check --launch "$first" --launch "$second" t.ptx
