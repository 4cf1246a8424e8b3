# Every case that docs/system.md names is there.
. "$WARPSAN_ROOT/tests/cli/common.inc"
grep -o '`[a-z0-9][a-z0-9]*\(-[a-z0-9]*\)\+`' "$WARPSAN_ROOT/docs/system.md" | tr -d '`' | sort -u >names
[ "$(wc -l <names)" -gt 50 ] || fail "the table is not read"
while read -r name; do
  ls "$WARPSAN_ROOT/tests/cases/$name"-*.cu >/dev/null 2>&1 || fail "there is no case $name"
done <names
