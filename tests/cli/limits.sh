# A search that a limit cut short is incomplete: status 3, and no verdict that is not certain.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_strong strong.litmus
status 3 "$WARPSAN" check --max-executions 1 strong.litmus
has out 'strong.litmus: ptx: unknown'
has out 'incomplete: '
status 3 "$WARPSAN" check --max-executions 1 --format json strong.litmus
has out '"complete": false'
has out '"holds": null'

# Of kernels they hold for all workers together.
ticket() {
  echo "kernel=ticket grid=$1 block=1 args=next:u32[1]=0,serving:u32[1]=0,data:u32[1]=0"
}
lock=$WARPSAN_ROOT/bench/kernels/ticket-lock.ptx
status 3 "$WARPSAN" check -j 4 --max-executions 10 --symmetry never --launch "$(ticket 6)" "$lock"
has out 'the limit of 10 executions was reached'
status 3 timeout 60 "$WARPSAN" check -j 4 --timeout 0.3 --symmetry never --launch "$(ticket 9)" "$lock"
has out 'the time limit of 0.3 s was reached'
status 0 "$WARPSAN" check -j 64 --memory 16M --symmetry never --launch "$(ticket 5)" "$lock"
has out 'no finding (120 executions'
status 3 "$WARPSAN" check -j 4 --memory 10K --symmetry never --launch "$(ticket 5)" "$lock"
has out 'the memory limit was reached'

# Long after the first finding a search ends, unless it has another limit.
sed 's/acquire/relaxed/' "$lock" > relaxed.ptx
status 1 timeout 60 "$WARPSAN" check --stop-after-finding 0.1 --symmetry never --launch "$(ticket 8)" relaxed.ptx
has out 'data-race'
has out 'the search went on for 0.1 s after its first finding'
status 1 timeout 60 "$WARPSAN" check --max-executions 30 --symmetry never --launch "$(ticket 8)" relaxed.ptx
has out 'the limit of 30 executions was reached'
status 2 "$WARPSAN" check --stop-after-finding 0 relaxed.ptx
has err 'a number of seconds above 0 after --stop-after-finding'
