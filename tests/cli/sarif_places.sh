# SARIF: a place in an option is told in the message, one in a file that is not at hand by its line, and
# braces of a message are doubled, since single ones would be placeholders.
. "$WARPSAN_ROOT/tests/cli/common.inc"
message=$WARPSAN_ROOT/examples/kernels/m30-message-scope-wrong
judge() {
  python3 "$WARPSAN_ROOT/tests/sarif.py" out || fail "not as the standard wants it"
  python3 -c 'import json
results = json.load(open("out", encoding="utf-8"))["runs"][0]["results"]
'"$1" || fail "$(cat out)"
}
cp "$message.ptx" moved.ptx
status 2 "$WARPSAN" check --format sarif --launch 'kernel=message grid={0}' moved.ptx
judge 'result, = results
place, = result["locations"]
assert place == {"physicalLocation": {"artifactLocation": {"uri": "moved.ptx"}}}, place
text = result["message"]["text"]
assert text.startswith("--launch:1:21: expected a grid size") and text.endswith("found \u0027{{\u0027"), text'
has err "found '{'"

# The PTX lies elsewhere: nothing is known of its source but the lines.
launch=$(sed -n 's|^// launch: *||p' "$message.cu")
status 1 "$WARPSAN" check --format sarif --launch "$launch" moved.ptx
judge 'for result in results:
    assert result["ruleId"] == "data-race/scope-too-narrow", result
    region = result["locations"][0]["physicalLocation"]["region"]
    assert set(region) == {"startLine"}, region'

# A folder's files go by the same names as when they are given one by one.
status 1 "$WARPSAN" check --format sarif --launch "$launch" .
judge 'uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
assert not any(uri.startswith("./") for uri in uris), uris'
