# Help comes from the table of options, for every command, and as a manual page.
. "$WARPSAN_ROOT/tests/cli/common.inc"
for words in help --help -h; do
  status 0 "$WARPSAN" $words
  has out 'usage: warpsan COMMAND'
done
for command in check outcomes explain models help version; do
  status 0 "$WARPSAN" help $command
  has out "usage: warpsan $command"
  cp out help
  status 0 "$WARPSAN" $command --help
  cmp -s help out || fail "'help $command' and '$command --help' differ"
  [ -z "$(awk 'length > 100' out)" ] || fail "$(cat out)"
done
status 0 "$WARPSAN" help check
has out '--max-executions N'
has out '-o, --output FILE'
status 2 "$WARPSAN" help nonsense
status 0 "$WARPSAN" version
grep -qx 'warpsan [0-9.]*' out || fail "$(cat out)"
status 0 "$WARPSAN" --version
status 0 "$WARPSAN" help --man
has out '.TH WARPSAN 1'
has out '\-\-max\-executions'
if command -v man >/dev/null && command -v groff >/dev/null; then
  groff -man -ww -Tutf8 out >page 2>problems && [ ! -s problems ] || fail "$(cat problems)"
fi
