# SARIF of kernels: every object as the standard wants it, and a flow for each thread.
. "$WARPSAN_ROOT/tests/cli/common.inc"
cases=$WARPSAN_ROOT/tests/cases

# findings STATUS CASE
findings() {
  status "$1" "$WARPSAN" check --format sarif --launch-from "$cases/$2.cu" "$cases/$2.ptx"
  python3 "$WARPSAN_ROOT/tests/sarif.py" out || fail "$2"
}
cat >flows.py <<'END'
import json, sys
rule, threads, ordered = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "ordered"
results = json.load(open("out", encoding="utf-8"))["runs"][0]["results"]
flows = [flow for result in results if result["ruleId"] == rule for flow in result["codeFlows"]]
assert flows, [result["ruleId"] for result in results]
for flow in flows:
    assert len(flow["threadFlows"]) == threads, flow
    assert len({thread["id"] for thread in flow["threadFlows"]}) == threads
    steps = [step for thread in flow["threadFlows"] for step in thread["locations"]]
    assert all("physicalLocation" in step["location"] for step in steps)
    orders = [step["executionOrder"] for step in steps if "executionOrder" in step]
    assert len(set(orders)) == len(orders) and bool(orders) == ordered, orders
END
flows() {
  python3 flows.py "$@" || fail "$(cat out)"
}
findings 1 done-flag-plain-bug
flows data-race/plain-flag 2 free
findings 1 two-locks-opposite-order-bug
flows deadlock 2 ordered
findings 1 mbarrier-one-arrival-short-bug
flows deadlock 1 free
findings 1 stack-of-two-bug
flows trap 3 ordered
findings 1 volatile-counter-bug
flows lost-update 2 ordered
findings 1 claim-both-bug
flows stale-value 2 free
findings 1 peer-counter-slow-link-bug
flows not-atomic-here 2 free
findings 0 volatile-counter-ok

# Several inputs, one of them cut short, one that is none.
printf '.version 8.0\n.target sm_90\n.entry k( {' >bad.ptx
status 2 "$WARPSAN" check --format sarif --max-executions 1 --launch-from \
  "$cases/volatile-counter-ok.cu" "$cases/volatile-counter-ok.ptx" bad.ptx
python3 "$WARPSAN_ROOT/tests/sarif.py" out || fail "several inputs"
# The judge knows what is wrong.
sed 's/"version": "2.1.0"/"version": "2.0.0"/; s/"driver"/"drivers"/' out >wrong
! python3 "$WARPSAN_ROOT/tests/sarif.py" wrong >errors || fail "a wrong log passes"
has errors "log.version: not allowed: '2.0.0'"
has errors "'drivers' is no property of a tool"
