# Final conditions: of the file, of the command line, and only if the program is to be checked.
. "$WARPSAN_ROOT/tests/cli/common.inc"
. "$WARPSAN_ROOT/tests/cli/kernels.inc"
write_instruction t.ptx 'st.global.u32 [%rd3], %r1;'
status 0 "$WARPSAN" check --final 'out[i] == i for i=0..3' --final 'out[0] < out[1]' t.ptx
status 1 "$WARPSAN" check --final 'out[i] == i for i=0..3' --final 'out[i] < 3 for i=0..3' t.ptx
has out 'for i=3'
has out '--final:1:'
status 0 "$WARPSAN" check --property race --final 'out[0] == 1' t.ptx
sed '1a// final: out[2] == 3' t.ptx >in-file.ptx
status 1 "$WARPSAN" check in-file.ptx
has out 'in-file.ptx:2:'
status 2 "$WARPSAN" check --final 'nowhere[0] == 1' t.ptx
has err "found 'nowhere'"
status 2 "$WARPSAN" check --final 'out[0] ==' t.ptx
