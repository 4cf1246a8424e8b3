# Where proxies occur, order between accesses of different sizes counts as between those of one.
. "$WARPSAN_ROOT/tests/cli/common.inc"
cat >sizes.ptx <<'PTX'
.version 8.6
.target sm_90a
.address_size 64
// launch: kernel=k grid=1 block=64
.shared .align 16 .b8 tile[32];
.visible .entry k()
{
.reg .pred %p<3>;
.reg .b16 %h<2>;
.reg .b32 %r<4>;
mov.u32 %r1, %tid.x;
mov.u32 %r2, tile;
mov.u16 %h1, 5;
setp.eq.u32 %p1, %r1, 0;
setp.eq.u32 %p2, %r1, 32;
@%p1 st.shared.u32 [%r2], %r1;
fence.proxy.async;
bar.sync 0;
@%p2 st.shared.u16 [%r2], %h1;
ret;
}
PTX
status 0 "$WARPSAN" check --property race --explore-races sizes.ptx
sed '/bar.sync/d' sizes.ptx >unordered.ptx
status 1 "$WARPSAN" check --property race --explore-races unordered.ptx
has out 'torn-access'
