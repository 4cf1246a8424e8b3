# One object a line for each input and model, valid whatever the input.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak weak.litmus
printf 'PTX \377\001"\\ { } \377 ' >bad.litmus
status 2 "$WARPSAN" check --format json --model ptx,sc weak.litmus bad.litmus
[ "$(wc -l <out)" = 3 ] || fail "expected three lines: $(cat out)"
while read -r line; do
  printf '%s\n' "$line" | python3 -m json.tool >/dev/null || fail "$line"
done <out
cat >judge.py <<'END'
import json
ptx, sc, bad = [json.loads(line) for line in open("out", encoding="utf-8")]
fields = ["input", "model", "engine", "complete", "executions", "duplicates", "blocked",
          "condition", "holds", "states", "findings", "seconds", "incomplete", "witness"]
for result in (ptx, sc, bad):
    assert all(field in result for field in fields), result
assert (ptx["model"], ptx["holds"], sc["model"], sc["holds"]) == ("ptx", True, "sc", False)
assert (ptx["executions"], ptx["duplicates"], ptx["condition"]) == (4, 0, "exists")
assert sorted((s["P1:r0"], s["P1:r1"], s["count"]) for s in ptx["states"]) == [
    (0, 0, 1), (0, 1, 1), (1, 0, 1), (1, 1, 1)], ptx["states"]
assert ptx["witness"]["events"] and ptx["witness"]["edges"]
assert all(e["from"] < len(ptx["witness"]["events"]) for e in ptx["witness"]["edges"])
assert bad["incomplete"] == "bad input" and bad["engine"] is None
assert bad["findings"][0]["rule"] == "syntax" and bad["findings"][0]["line"] == 1
END
python3 judge.py || fail "$(cat out)"
