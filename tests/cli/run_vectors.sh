# `warpsan run`: vectors that threads exchange are named once, as an advice; --split-vectors takes them apart.
. "$WARPSAN_ROOT/tests/cli/common.inc"
pair="$WARPSAN_ROOT/tests/cases/pair-in-two-words-bug.ptx"
status 0 "$WARPSAN" run --runs 40 "$pair"
[ "$(grep -c ': advice: ' out)" = 1 ] || fail "expected one advice: $(cat out)"
has out 'each element of this vector is an access of its own'
has out '[torn-access]'
has out 'they are stored here: `st.relaxed.gpu.global.v2.b64'
status 0 "$WARPSAN" run -j 3 --runs 40 "$pair"
[ "$(grep -c ': advice: ' out)" = 1 ] || fail "expected one advice with -j 3: $(cat out)"
status 0 "$WARPSAN" run --format json "$pair"
has out '"severity": "advice"'

# With a weak memory, too, the two are what was there at one moment, unless they may come apart.
status 0 "$WARPSAN" run --weak --runs 40 "$pair"
status 1 "$WARPSAN" run --weak --split-vectors --runs 40 "$pair"
has out '[stale-value]'

# A value of 16 bytes is one access; a vector whose exchange is ordered, or that nobody stores as one, needs no advice.
status 0 "$WARPSAN" run --runs 40 "$WARPSAN_ROOT/tests/cases/pair-in-two-words-ok.ptx"
lacks out 'advice'

# On the way to another device the elements may come apart in any run.
cat >devices.ptx <<'EOT'
.version 8.3
.target sm_90
.address_size 64
.visible .entry give(.param .u64 x) {
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [x];
  st.relaxed.sys.global.v2.u32 [%rd1], {1, 1};
  ret;
}
.visible .entry take(.param .u64 x, .param .u64 y) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.relaxed.sys.global.v2.u32 {%r1, %r2}, [%rd1];
  st.global.v2.u32 [%rd2], {%r1, %r2};
  ret;
}
EOT
exchange() { "$WARPSAN" run --runs 60 --launch "kernel=give device=0 grid=1 block=1 args=x:u32[2]=0" \
  --launch "kernel=take device=$1 grid=1 block=1 args=x:u32[2]=0,y:u32[2]=0" \
  --relation concurrent --final 'y[0] == y[1]' devices.ptx; }
status 0 exchange 0
has out ': advice: '
status 1 exchange 1
has out '[assert]'
