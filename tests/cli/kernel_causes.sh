# What a violated condition is put down to: weak behaviour, a lost update, a torn vector, or none.
. "$WARPSAN_ROOT/tests/cli/common.inc"
cases=$WARPSAN_ROOT/tests/cases

# check CASE: findings of a compiled case as JSON, in `out`.
check() {
  status 1 "$WARPSAN" check --format json --launch-from "$cases/$1.cu" "$cases/$1.ptx"
}
cat >judge.py <<'END'
import json, sys
rule, relation, has_order = sys.argv[1:]
findings = json.load(open("out"))["findings"]
assert [f["rule"] for f in findings] == [rule], findings
witness = findings[0]["witness"]
marked = [edge for edge in witness["edges"] if edge["highlighted"]]
assert [edge["relation"] for edge in marked] == [relation], witness
events = witness["events"]
assert all(events[edge[end]]["id"] == edge[end] for edge in marked for end in ("from", "to"))
assert bool(witness["order"]) == (has_order == "ordered"), witness
if witness["order"]:
    place = {event: i for i, event in enumerate(witness["order"])}
    rf = [edge for edge in witness["edges"] if edge["relation"] in ("rf", "fr", "co", "po")]
    known = [e for e in rf if e["from"] in place and e["to"] in place]
    assert known and all(place[e["from"]] < place[e["to"]] for e in known), witness
assert len({event["thread"] for event in events}) == 2
END
judge() {
  python3 judge.py "$@" || fail "$* $(cat out)"
}
check volatile-counter-bug
judge lost-update lost ordered
check claim-both-bug
judge stale-value fr weak
check sequence-lock-without-fences-bug
judge stale-value fr weak
check packet-of-four-words-bug
judge torn-access fr ordered

# The same counter, and nobody who checks the sum.
grep -v final: "$cases/volatile-counter-bug.cu" >counter.cu
status 1 "$WARPSAN" check --format json --launch-from counter.cu "$cases/volatile-counter-bug.ptx"
judge lost-update lost ordered
# What no execution loses is no finding, and a sum that is wrong in any case is no weak behaviour.
status 1 "$WARPSAN" check --format json --launch-from "$cases/sum-misses-last-bug.cu" \
  "$cases/sum-misses-last-bug.ptx"
python3 -c 'import json; assert [f["rule"] for f in json.load(open("out"))["findings"]] == ["assert"]' \
  || fail "$(cat out)"
