# Nothing in an input or in its name can steer a terminal.
. "$WARPSAN_ROOT/tests/cli/common.inc"
name=$(printf 'a\033[31m.litmus')
printf 'PTX t\n{ }\n \033]0;title\007 ;\n' >"$name"
status 2 "$WARPSAN" check "$name"
lacks err "$(printf '\033')"
has err 'a?[31m.litmus:3:'
# /dev/zero never ends.
if [ -c /dev/zero ]; then
  status 2 "$WARPSAN" check /dev/zero
  has err 'expected an input of at most 67108864 bytes, found a longer one'
fi
