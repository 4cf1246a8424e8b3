# One mistake of a kernel is one finding, with its cause and all places, whatever follows from it.
. "$WARPSAN_ROOT/tests/cli/common.inc"
cases=$WARPSAN_ROOT/tests/cases
cat >judge.py <<'END'
import json, sys
rules, lines = sys.argv[1].split(","), set(map(int, sys.argv[2:]))
found = [f for f in json.load(open("out"))["findings"] if f["rule"] not in ("assert", "stale-value")]
assert [f.get("sub") or f["rule"] for f in found] == rules, found
places = {place["line"] for f in found for place in (f, *f["related"])}
assert lines <= places, (lines, places)
END

# judge 'COMMAND' CASE RULES [LINE...]
judge() {
  command=$1 case=$2
  shift 2
  # shellcheck disable=SC2086
  status 1 "$WARPSAN" $command --format json --no-witness --launch-from "$cases/$case.cu" "$cases/$case.ptx"
  python3 judge.py "$@" || fail "$command $case: $* $(cat out)"
}
lines_of() {
  grep -n "$2" "$cases/$1.cu" | cut -d: -f1 | tr '\n' ' '
}

# Whose waits stand at one line of a helper is told by where they were inlined; blocks that get stuck do not exit.
case=phase-restarted-for-each-tile-bug
for command in check run; do
  # shellcheck disable=SC2046
  judge $command $case deadlock $(lines_of $case '\(full\|empty\)\[s\]\.wait(')
done
# A copy that is not waited for outlives its block, too.
judge check second-operand-not-counted-bug async-not-waited
judge check values-awaited-at-barrier-of-keys-bug async-not-waited
# Copies of a loop's body, and the threads for which another one speaks, are one pair of places.
judge 'run --runs 20' host-waits-for-a-plain-word-bug scope-too-narrow
judge 'run --runs 30' tile-number-taken-while-read-bug barrier-missing
# Data of another round is no flag, nor is what was written before the access.
judge check all-gather-barrier-with-one-counter-bug no-synchronisation
judge 'run --runs 3' constants-through-read-only-path-bug no-synchronisation,nc-load-of-written-data
judge check constants-through-read-only-path-bug no-synchronisation,nc-load-of-written-data
judge 'run --weak --runs 40' retired-node-without-grace-bug no-synchronisation
