# What a kernel demands of its launch, by directives and by its parameters: the launch line to begin
# with has it, and one that does not fit is an error, as a launch on a GPU would be.
. "$WARPSAN_ROOT/tests/cli/common.inc"
cat >k.ptx <<'END'
.version 8.6
.target sm_90a
.address_size 64

.extern .shared .align 16 .b8 global_smem[];

.visible .entry _Z3addPj(
  .param .u64 .ptr .global .align 1 _Z3addPj_param_0,
  .param .align 64 .b8 _Z3addPj_param_1[128],
  .param .f32 _Z3addPj_param_2
)
.reqntid 64, 2
.reqnctapercluster 2, 1, 1
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<8>;
  .reg .pred %p<2>;
  mov.b64 %rd1, _Z3addPj_param_1;
  cvta.param.u64 %rd1, %rd1;
  mov.b32 %r1, global_smem;
  st.shared.b32 [global_smem+60], 1;
  mov.u32 %r2, %tid.x;
  setp.ne.u32 %p1, %r2, 99;
  @%p1 bra end;
  cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%rd1, {0, 0, 0}], [%r1];
end:
  ret;
}

.visible .entry few(.param .u64 few_param_0)
.maxntid 32, 2
{
  ret;
}
END
launch='kernel=add grid=2 block=64,2 cluster=2 shared=49152 args=param_0:u32[32]=0,param_1:f16[64,64,1]:[64,64,1]=0,param_2:f32=0'
status 0 "$WARPSAN" ptx --list k.ptx
has out 'kernel add, _Z3addPj'
has out '  u64 param_0, pointer to global'
has out "  // launch: $launch"
has out '  // launch: kernel=few grid=1 block=32 args=param_0:u32[32]=0'

# change OLD NEW: the launch line with one thing else.
change() {
  echo "$launch" | sed "s/$1/$2/"
}
status 0 "$WARPSAN" run --no-races --launch "$launch" k.ptx
status 2 "$WARPSAN" run --launch "$(change block=64,2 block=128)" k.ptx
has err "--launch:1:25: error: expected block=64,2, as '.reqntid' of 'add' demands, found block=128"
status 2 "$WARPSAN" check --launch "$(change ' cluster=2' '')" k.ptx
has err "expected cluster=2, as '.reqnctapercluster' of 'add' demands, found cluster=1"
status 2 "$WARPSAN" check --launch 'kernel=few grid=1 block=65 args=p:u32[1]=0' k.ptx
has err "--launch:1:25: error: expected a block of at most 64 threads, as '.maxntid' of 'few' says, found 65"
status 0 "$WARPSAN" check --launch 'kernel=few grid=1 block=64 args=p:u32[1]=0' k.ptx
status 2 "$WARPSAN" check --launch 'kernel=few grid=1 block=64 args=p:u32=0' k.ptx
has err "expected a value of 8 bytes for parameter 'param_0' (u64), found one of 4 (u32)"

# Too little dynamic shared memory: both engines say what to do.
for engine in check run; do
  status 1 "$WARPSAN" "$engine" --launch "$(change ' shared=49152' '')" k.ptx
  has out 'error: this access is outside of the shared memory that the block has'
  has out '`shared=` the bytes of dynamic shared memory, which is none without it'
done
