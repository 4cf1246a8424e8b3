# .cu and .c files are compiled; here by a script that stands in for nvcc and clang.
. "$WARPSAN_ROOT/tests/cli/common.inc"
. "$WARPSAN_ROOT/tests/cli/kernels.inc"
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR
write_message kernels.ptx acquire.gpu
cat >compiler <<'END'
#!/bin/sh
printf '%s\n' "$@" >words
while [ "$1" != -o ]; do
  shift
done
[ -f answer ] && cat answer
[ -f kernels.ptx ] && cp kernels.ptx "$2"
exit "$(cat status)"
END
chmod +x compiler
echo 0 >status
echo "// launch: $message_launch" >m.cu
cp m.cu m.c
status 0 "$WARPSAN" check --nvcc ./compiler m.cu
has out 'm.cu: ptx: no finding'
[ "$(tr '\n' ' ' <words | sed 's/-o .*//')" = '-x cu -ptx -lineinfo -std=c++17 -arch=sm_90 ' ] || fail "$(cat words)"
[ "$(tail -n 1 words)" = m.cu ] || fail "$(cat words)"
status 0 "$WARPSAN" check --nvcc ./compiler --nvcc-flags "-O1  '-DA=b c' \"-I d\" -DX=\\'y\\'" m.cu
for word in -O1 '-DA=b c' '-I d' "-DX='y'"; do
  grep -qxF -e "$word" words || fail "expected the word $word: $(cat words)"
done
status 2 "$WARPSAN" check --nvcc ./compiler --nvcc-flags '-DA="b c' m.cu
has err "m.cu: error: expected a second \" in the flags of the compiler, found '-DA=\"b c'"
status 2 "$WARPSAN" check --nvcc ./m.cu m.cu
has err "cannot run './m.cu': permission denied; --nvcc or --clang says where"
status 0 "$WARPSAN" check --clang ./compiler --clang-flags -O3 m.c
has words --target=nvptx64-nvidia-cuda
has words -O3
status 0 "$WARPSAN" ptx --list --nvcc ./compiler m.cu
has out 'kernel message'
# The compiler's errors are passed on, with their places; nothing is left behind.
echo 1 >status
cat >answer <<'END'
m.cu(1): warning #1: something else
m.cu(1): error: identifier "x" is undefined
  a line of source
m.cu:1:4: error: another way to write it
other.h(3): error: in another file
3 errors detected in the compilation of "m.cu".
END
status 2 "$WARPSAN" check --nvcc ./compiler m.cu
has err 'm.cu:1:1: error: identifier "x" is undefined [compiler]'
has err 'm.cu:1:4: error: another way to write it [compiler]'
has err 'm.cu: error: other.h(3): error: in another file [compiler]'
lacks err warning
lacks err 'errors detected'
echo 'no reason that looks like one' >answer
status 2 "$WARPSAN" check --nvcc ./compiler m.cu
has err "m.cu: error: expected './compiler' to make PTX, it ended with status 1 [compiler]"
has err 'note: no reason that looks like one'
status 2 "$WARPSAN" check --nvcc /no/such/compiler m.cu
has err "m.cu: error: expected a compiler to make PTX of 'm.cu', found no '/no/such/compiler'"
[ "$(grep -c error err)" = 1 ] || fail "$(cat err)"
status 2 "$WARPSAN" check --nvcc "$PWD" m.cu
has err 'cannot run'
# PTX that is none is an error of the PTX.
echo 0 >status
echo nonsense >kernels.ptx
status 2 "$WARPSAN" check --nvcc ./compiler m.cu
has err 'm.cu (as PTX):1:1: error:'
rm kernels.ptx
status 2 "$WARPSAN" check --nvcc ./compiler m.cu
has err 'expected room for temporary files, found: no such file or directory'
[ -z "$(ls tmp)" ] || fail "left behind: $(ls tmp)"
TMPDIR=/no/such/folder
status 2 "$WARPSAN" check --nvcc ./compiler m.cu
has err 'expected room for temporary files'
