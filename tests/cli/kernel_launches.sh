# Where launch lines come from, and what is said when they are missing or wrong.
. "$WARPSAN_ROOT/tests/cli/common.inc"
. "$WARPSAN_ROOT/tests/cli/kernels.inc"
write_message m.ptx acquire.gpu
status 2 "$WARPSAN" check m.ptx
has err 'm.ptx: error: expected a launch of a kernel (message), found no line'
has err 'note: for example: // launch: kernel=message grid=1 block=32 args=data:u32[32]=0,'
status 0 "$WARPSAN" check --launch "$message_launch" m.ptx
status 0 "$WARPSAN" check --launch "launch: $message_launch" m.ptx
echo "launch: $message_launch" >launches
status 0 "$WARPSAN" check --launch-from launches m.ptx
echo >none
status 2 "$WARPSAN" check --launch-from none m.ptx
has err "found no line '// launch: ...', none in 'none' and no option --launch"
echo "// launch: $message_launch" >m.cu
status 0 "$WARPSAN" check --launch-from m.cu m.ptx
status 0 "$WARPSAN" check --launch "$message_launch" - <m.ptx
# A buffer of a file beside the launch line.
printf '\001\000\000\000' >one.bin
write_instruction t.ptx 'st.global.u32 [%rd3], %r1;'
sed -i '1s/.*/\/\/ launch: kernel=one grid=1 block=1 args=out:u32[1]=file:one.bin/' t.ptx
status 0 "$WARPSAN" check t.ptx
sed -i '1s/one.bin/two.bin/' t.ptx
status 2 "$WARPSAN" check t.ptx
has err "cannot read 'two.bin': no such file or directory"
# What is wrong is told with its place.
status 2 "$WARPSAN" check --launch 'kernel=other grid=1 block=1' m.ptx
has err "--launch:1:8: error: expected a kernel of 'm.ptx' (message), found 'other'"
status 2 "$WARPSAN" check --launch 'kernel=message grid=1 block=1 args=data:u32[1]=0' m.ptx
has err "expected 3 arguments for 'message' (data, flag, seen), found 1"
status 2 "$WARPSAN" check --launch 'kernel=message grid=1 block=1 args=a:u32[1]=0,b:u32[1]=0,c:u32=1' m.ptx
has err "expected a value of 8 bytes for parameter 'seen' (u64), found one of 4 (u32)"
status 2 "$WARPSAN" check --launch nonsense m.ptx
status 2 "$WARPSAN" check --launch-from /no/such/file m.ptx
has err 'expected a readable file, found: no such file or directory'
status 2 "$WARPSAN" check --relation sideways m.ptx
has err "expected concurrent, sequential or pdl after --relation, found 'sideways'"
status 2 "$WARPSAN" check --level rust m.ptx
has err "expected ptx or cuda after --level, found 'rust'"
# Litmus tests alone have final states to put side by side.
status 2 "$WARPSAN" outcomes m.ptx
has err 'm.ptx: error: expected a litmus test, found kernels'
