# .cu files through nvcc, where there is one.
. "$WARPSAN_ROOT/tests/cli/common.inc"
command -v nvcc >/dev/null || {
  echo 'there is no nvcc'
  exit 77
}
cat >q.cu <<'END'
// launch: kernel=q grid=1 block=64 args=in:u32[64]=iota,out:u32[64]=0
// final: out[i] == (i ^ 32) for i=0..63
__device__ unsigned exchange(unsigned *tile, unsigned mine) {
  tile[threadIdx.x] = mine;
  SYNC;
  return tile[threadIdx.x ^ 32];
}

extern "C" __global__ void q(const unsigned *in, unsigned *out) {
  __shared__ unsigned tile[64];
  out[threadIdx.x] = exchange(tile, in[threadIdx.x]);
}
END
status 0 "$WARPSAN" check --nvcc-flags '-DSYNC=__syncthreads()' q.cu
has out 'q.cu: ptx: no finding ('
status 1 "$WARPSAN" check --nvcc-flags '-DSYNC=' q.cu
has out 'q.cu:4:3: error: '
has out '[data-race:barrier-missing]'
grep -q '^q.cu:11:[0-9]*: note: inlined' out || fail "$(cat out)"
status 2 "$WARPSAN" check q.cu
has err 'q.cu:5:3: error: identifier "SYNC" is undefined [compiler]'
status 0 "$WARPSAN" ptx --nvcc-flags '-DSYNC=' q.cu
has out '.visible .entry q('
