# Bad usage is told in one line, with status 2.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_weak t.litmus
usage() {
  message=$1
  shift
  status 2 "$WARPSAN" "$@"
  has err "warpsan: error: $message"
  [ ! -s out ] || fail "something was printed: $*"
  [ "$(wc -l <err)" = 1 ] || fail "more than one line: $(cat err)"
}
usage "expected a command, found nothing; see 'warpsan help'"
usage "expected a command, found 'frobnicate'" frobnicate
usage "expected a command, found 'chekc'; did you mean 'check'?" chekc t.litmus
usage "expected a command, found 'modles'; did you mean 'models'?" help modles
usage "expected a rule, found 'plain-flga'; did you mean 'plain-flag'?" explain plain-flga
usage "expected a rule, found 'data-race:plane-flag'; did you mean 'plain-flag'?" explain data-race:plane-flag
usage "expected a rule, found 'nonsense'; 'warpsan explain' lists them" explain nonsense
usage "expected a file, found nothing; see 'warpsan help check'" check
usage "expected an option of 'check', found '--frobnicate'" check --frobnicate t.litmus
usage "expected an option of 'check', found '--models'; did you mean '--model'?" check --models ptx t.litmus
usage "expected an option of 'check', found '--fromat=json'; did you mean '--format'?" check --fromat=json t.litmus
usage "expected an option of 'check', found '--a-very-long-option-that-nobody-has-ever-seen'; see" \
  check --a-very-long-option-that-nobody-has-ever-seen t.litmus
usage "expected --weak with --split-vectors, found none" run --split-vectors t.ptx
usage "expected an option of 'check', found '-x'" check -x t.litmus
usage "expected an option of 'check', found '-qx'" check -qx t.litmus
usage "expected N after --jobs, found nothing" check t.litmus -j
usage "expected a number above 0 after --jobs, found '0'" check -j 0 t.litmus
usage "expected a number above 0 after --jobs, found '9999999'" check -j9999999 t.litmus
usage "expected a number above 0 after --unroll, found '-1'" check --unroll -1 t.litmus
usage "expected a number above 0 after --unroll, found '3x'" check --unroll=3x t.litmus
usage "expected a number of seconds above 0 after --timeout, found 'soon'" check --timeout soon t.litmus
usage "expected a number of seconds above 0 after --timeout, found 'inf'" check --timeout inf t.litmus
usage "expected a number of bytes after --memory, found 'x'" check --memory x t.litmus
usage "expected a number of bytes, with K, M or G after --memory, found '1T'" check --memory 1T t.litmus
usage "expected text, json, sarif, html or dot after --format, found 'xml'" check --format xml t.litmus
usage "expected text or json after --format, found 'dot'" outcomes --format dot t.litmus
usage "expected auto, always or never after --color, found 'red'" check --color red t.litmus
usage "expected program, termination or race after --property, found 'all'" check --property all t.litmus
usage "expected the name of a model after --model, found ''" check --model ptx,,sc t.litmus
usage "expected no value for --quiet, found '1'" check --quiet=1 t.litmus
usage "expected the name of a file after --output, found ''" check --output= t.litmus
usage "expected the name of a file, found ''" check ''
