# Every rule that is listed is explained, with examples.
. "$WARPSAN_ROOT/tests/cli/common.inc"
status 0 "$WARPSAN" explain
sed 's/^ *\([^ ]*\).*/\1/' out >rules
[ "$(wc -l <rules)" -gt 30 ] || fail "$(cat rules)"
while read -r rule; do
  status 0 "$WARPSAN" explain "$rule"
  has out wrong:
  has out right:
done <rules
status 0 "$WARPSAN" explain data-race:scope-too-narrow
has out 'data-race:scope-too-narrow (error)'
has out 'fix: name the least scope'
status 2 "$WARPSAN" explain nonsense
has err "expected a rule, found 'nonsense'"
status 2 "$WARPSAN" explain livelock:scope-too-narrow
