# An include is looked for beside the including file, then among the built-in models.
. "$WARPSAN_ROOT/tests/cli/common.inc"
mkdir -p models/parts
cat >models/mine.cat <<'END'
"mine"
include "parts/order.cat"
acyclic order as Order
END
cat >models/parts/order.cat <<'END'
let order = po | rf | co | fr
END
cat >models/all.cat <<'END'
include "sc.cat"
END
cat >models/none.cat <<'END'
include "nowhere.cat"
END
write_weak weak.litmus
status 0 "$WARPSAN" check --model models/mine.cat,models/all.cat weak.litmus
has out 'weak.litmus: models/mine.cat: forbidden'
has out 'weak.litmus: models/all.cat: forbidden'
status 2 "$WARPSAN" check --model models/none.cat weak.litmus
has err 'models/none.cat:1:9: error: '
