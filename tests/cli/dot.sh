# The witnesses of all inputs are one digraph.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak a.litmus
write_weak b.litmus
status 0 "$WARPSAN" check --format dot a.litmus b.litmus
[ "$(grep -c '^digraph' out)" = 1 ] || fail "$(cat out)"
[ "$(grep -c 'subgraph cluster_w._t' out)" = 4 ] || fail "$(cat out)"
has out 'xlabel="fr"'
[ "$(tr -cd '{' <out | wc -c)" = "$(tr -cd '}' <out | wc -c)" ] || fail "braces do not match"
if command -v dot >/dev/null; then
  dot -Tsvg out >picture 2>problems && [ ! -s problems ] || fail "$(cat problems)"
fi
