# Instructions that check explores run too, and show the same mistakes.
. "$WARPSAN_ROOT/tests/cli/common.inc"
cases=$WARPSAN_ROOT/tests/cases
run() {
  file=$cases/$2
  status "$1" "$WARPSAN" run --launch-from "$file.cu" "$file.ptx"
  lacks out incomplete
}
# A file of PTX that states its launch itself.
run_ptx() {
  status "$1" "$WARPSAN" run "$cases/$2.ptx"
  lacks out incomplete
}
run_ptx 0 forms-of-calls-ok
run_ptx 0 results-in-registers-ok
run_ptx 0 async-atomics-ok
run_ptx 0 atomics-on-vectors-ok
run_ptx 0 copy-of-fewer-bytes-ok
run_ptx 1 copy-of-fewer-bytes-bug
has out out-of-bounds
run 0 exchange-in-functions-ok
run 1 exchange-in-functions-bug
run 0 handler-table-ok
run 1 handler-table-bug
run 0 list-node-from-malloc-ok
run 1 list-node-from-malloc-bug
run 0 cluster-store-not-awaited-ok
run 1 cluster-store-not-awaited-bug
run 0 tensor-tile-without-proxy-fence-ok
run 1 tensor-tile-without-proxy-fence-bug
has out proxy-fence-missing
run 0 multicast-of-a-row-ok
run 1 multicast-of-a-row-bug
run 0 texels-of-a-texture-ok
run 0 colours-of-a-texture-ok
run 0 warp-polls-flag-ok
run 1 warp-polls-flag-bug
