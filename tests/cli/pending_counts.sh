# Arrivals are no choices of the search: a pending count that depends on their order makes it incomplete.
. "$WARPSAN_ROOT/tests/cli/common.inc"
write_counts() { # $1: what is between the two arrivals
  cat >counts.ptx <<END
.version 8.0
.target sm_90
.address_size 64
.visible .entry counts(.param .u64 y)
{
    .reg .pred %p;
    .reg .b32 %t, %n;
    .reg .b64 %y, %s, %o;
    .shared .align 8 .b64 full;
    ld.param.u64 %y, [y];
    mov.u32 %t, %tid.x;
    setp.eq.u32 %p, %t, 0;
    @%p mbarrier.init.shared.b64 [full], 3;
    bar.sync 0;
    @%p mbarrier.arrive.noComplete.shared.b64 %s, [full], 1;
    $1
    setp.eq.u32 %p, %t, 32;
    @%p mbarrier.arrive.noComplete.shared.b64 %s, [full], 1;
    and.b32 %n, %t, 31;
    setp.ne.u32 %p, %n, 0;
    @%p ret;
    mbarrier.pending_count.b64 %n, %s;
    mul.wide.u32 %o, %t, 4;
    add.u64 %y, %y, %o;
    st.global.u32 [%y], %n;
    ret;
}
END
}
launch='kernel=counts grid=1 block=64 args=y:u32[64]=0'
write_counts 'bar.sync 0;'
status 0 "$WARPSAN" check --launch "$launch" --final 'y[0] == 3 && y[32] == 2' counts.ptx
has out 'no finding (1 execution, complete)'
status 0 "$WARPSAN" run --launch "$launch" --final 'y[0] == 3 && y[32] == 2' counts.ptx
write_counts ''
status 3 "$WARPSAN" check --launch "$launch" counts.ptx
has out 'incomplete: one order was explored of arrivals on which a pending count of an mbarrier depends'
status 0 "$WARPSAN" run --launch "$launch" --runs 8 --final 'y[0] + y[32] == 5' counts.ptx
