# `outcomes` puts the final states under several models side by side.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak weak.litmus
status 0 "$WARPSAN" outcomes --models sc,tso,ptx weak.litmus
cat >expected <<'END'
weak.litmus: exists (P1:r0 == 1 /\ P1:r1 == 0)
    P1:r0  P1:r1  |   sc  tso  ptx
        0      0  |    1    1    1
        0      1  |    1    1    1
 *      1      0  |    -    -    1  added by ptx
        1      1  |    1    1    1
  executions      |    3    3    4
END
cmp -s expected out || fail "$(diff expected out)"
status 0 "$WARPSAN" outcomes weak.litmus
has out 'sc  tso  cuda  ptx60  ptx'
status 0 "$WARPSAN" outcomes --format json weak.litmus
cat >judge.py <<'END'
import json
table = json.load(open("out", encoding="utf-8"))
assert [m["model"] for m in table["models"]] == ["sc", "tso", "cuda", "ptx60", "ptx"]
assert len(table["outcomes"]) == 4
added = [o for o in table["outcomes"] if o["added_by"]]
assert added == [{"state": {"P1:r0": 1, "P1:r1": 0}, "satisfies": True, "added_by": "cuda",
                  "counts": {"sc": 0, "tso": 0, "cuda": 1, "ptx60": 1, "ptx": 1}}], added
END
python3 judge.py || fail "$(cat out)"
echo nonsense >bad.litmus
status 2 "$WARPSAN" outcomes bad.litmus weak.litmus
has out 'weak.litmus: exists'
has err 'bad.litmus:1:1: error: '
