# `warpsan run`: vectors that threads exchange are named once, as an advice; --split-vectors takes them apart.
. "$WARPSAN_ROOT/tests/cli/common.inc"
pair="$WARPSAN_ROOT/tests/cases/pair-in-two-words-bug.ptx"
status 0 "$WARPSAN" run --runs 40 "$pair"
[ "$(grep -c ': advice: ' out)" = 1 ] || fail "expected one advice: $(cat out)"
has out 'each element of this vector is an access of its own'
has out '[torn-access]'
has out 'they are stored here: `st.relaxed.gpu.global.v2.b64'
status 0 "$WARPSAN" run -j 3 --runs 40 "$pair"
[ "$(grep -c ': advice: ' out)" = 1 ] || fail "expected one advice with -j 3: $(cat out)"
status 0 "$WARPSAN" run --format json "$pair"
has out '"severity": "advice"'

# With a weak memory, too, the two are what was there at one moment, unless they may come apart.
status 0 "$WARPSAN" run --weak --runs 40 "$pair"
status 1 "$WARPSAN" run --weak --split-vectors --runs 40 "$pair"
has out '[stale-value]'

# A value of 16 bytes is one access; a vector whose exchange is ordered, or that nobody stores as one, needs no advice.
status 0 "$WARPSAN" run --runs 40 "$WARPSAN_ROOT/tests/cases/pair-in-two-words-ok.ptx"
lacks out 'advice'
