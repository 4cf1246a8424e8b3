# JSON and SARIF of kernels: findings are the verdict, and lines are those of the .cu.
. "$WARPSAN_ROOT/tests/cli/common.inc"
cat >q.cu <<'END'
// launch: kernel=q grid=2 block=1 args=data:u32[1]=0
extern "C" __global__ void q(unsigned *data) {
  *data = 1;
}
END
cat >q.ptx <<'END'
.version 8.0
.target sm_90
.address_size 64

.visible .entry q(.param .u64 data)
{
  .reg .b64 %rd<2>;
  .loc 1 2 0
  ld.param.u64 %rd1, [data];
  .loc 1 3 3
  st.global.u32 [%rd1], 1;
  .loc 1 4 1
  ret;
}
  .file 1 "/somewhere/else/q.cu"
END
status 1 "$WARPSAN" check --format json --launch-from q.cu q.ptx
cat >judge.py <<'END'
import json
result = json.load(open("out", encoding="utf-8"))
assert result["input"] == "q.ptx" and result["test"] == "q" and result["model"] == "ptx", result
assert result["engine"] == "explore" and result["complete"] and result["incomplete"] is None
assert result["executions"] >= 1
assert result["condition"] is None and result["holds"] is None and result["verdict"] is None
assert result["states"] == [], result["states"]
race = result["findings"][0]
assert race["rule"] == "data-race" and race["severity"] == "error", race
assert (race["file"], race["line"], race["column"]) == ("q.cu", 3, 3), race
assert [(n["file"], n["line"]) for n in race["related"]] == [("q.cu", 3)], race
END
python3 judge.py || fail "$(cat out)"
status 1 "$WARPSAN" check --format sarif --launch-from q.cu q.ptx
python3 -m json.tool <out >/dev/null || fail "$(cat out)"
has out '"startLine": 3'
for format in html dot; do
  status 1 "$WARPSAN" check --format $format --launch-from q.cu q.ptx
done
# Without the .cu at hand, its lines are still named.
status 1 "$WARPSAN" check --launch 'kernel=q grid=2 block=1 args=data:u32[1]=0' q.ptx
has out 'q.cu:3:'
status 1 "$WARPSAN" check --level cuda --launch-from q.cu q.ptx
has out 'q.ptx: cuda: '
