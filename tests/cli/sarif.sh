# SARIF 2.1.0: what the standard requires of the objects that are used.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak 'a b.litmus' '~exists'
printf 'PTX x { } nonsense' >bad.litmus
status 2 "$WARPSAN" check --format sarif 'a b.litmus' bad.litmus
cat >judge.py <<'END'
import json
log = json.load(open("out", encoding="utf-8"))
assert log["version"] == "2.1.0" and len(log["runs"]) == 1
run = log["runs"][0]
rules = run["tool"]["driver"]["rules"]
assert run["tool"]["driver"]["name"] == "warpsan"
assert len({rule["id"] for rule in rules}) == len(rules)
assert run["invocations"][0]["executionSuccessful"] is False
assert run["columnKind"] == "unicodeCodePoints"

def check_location(location):
    assert set(location) <= {"id", "physicalLocation", "message"}
    if "physicalLocation" in location:
        physical = location["physicalLocation"]
        assert " " not in physical["artifactLocation"]["uri"]
        region = physical.get("region")
        if region:
            assert all(value >= 1 for value in region.values())

results = run["results"]
assert len(results) >= 2
for result in results:
    assert result["message"]["text"] and result["level"] in ("error", "warning", "note")
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    for location in result["locations"] + result.get("relatedLocations", []):
        check_location(location)
    for flow in result.get("codeFlows", []):
        assert flow["threadFlows"]
        for thread in flow["threadFlows"]:
            assert thread["locations"]
            for step in thread["locations"]:
                check_location(step["location"])
ids = {result["ruleId"] for result in results}
assert {"condition", "syntax"} <= ids, ids
violation = next(r for r in results if r["ruleId"] == "condition")
assert violation["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20b.litmus"
assert violation["codeFlows"]
END
python3 "$WARPSAN_ROOT/tests/sarif.py" out || fail "not as the standard wants it"
python3 judge.py || fail "$(cat out)"
status 0 "$WARPSAN" check --format sarif --property termination 'a b.litmus'
python3 -m json.tool out >/dev/null || fail "$(cat out)"
# Each error is printed once, however many inputs follow in one document.
for name in one two three; do echo "PTX" >"$name.litmus"; done
"$WARPSAN" check --format sarif one.litmus two.litmus three.litmus >out 2>err
[ "$(grep -c 'error:' err)" = 3 ] || fail "$(cat err)"
