# `warpsan run` with a machine that does not make a flag atomic between two devices.
. "$WARPSAN_ROOT/tests/cli/common.inc"
cat >slow.machine <<EOT
devices 2
peer-native-atomics all all no
EOT
cat >flag.ptx <<EOT
.version 8.3
.target sm_90
.address_size 64
.visible .entry give(.param .u64 data, .param .u64 flag) {
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [flag];
  st.global.u32 [%rd1], 1;
  st.release.sys.global.u32 [%rd2], 1;
  ret;
}
.visible .entry take(.param .u64 data, .param .u64 flag) {
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd2, [flag];
L: ld.acquire.sys.global.u32 %r1, [%rd2];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra L;
  ld.global.u32 %r2, [%rd1];
  ret;
}
EOT
run() { "$WARPSAN" run --runs 5 --launch "kernel=give device=$1 grid=1 block=1 args=data:u32[1]=0,flag:u32[1]=0" \
  --launch "kernel=take device=$2 grid=1 block=1 args=data:u32[1]=0,flag:u32[1]=0" "$3" "$4" flag.ptx; }

# Data behind a flag that is not atomic between the devices: both race, the machine is the reason.
status 0 run 0 1 --level ptx
status 1 run 0 1 --machine slow.machine
has out "flag.ptx:9:3: error"
has out "flag.ptx:8:3: error"
has out "[not-atomic-here]"
has out "device 1 accesses memory of device 0 without peer-native-atomics, says 'slow.machine'"
lacks out "[data-race"
status 0 run 0 0 --machine slow.machine
