// Threads take work until none is left, but look at the number only when they have used it: whoever gets one too
// many writes behind the array.
// launch: kernel=squares grid=4 block=1 args=next:u32[1]=0,n:s32=6,out:s32[6]=0
// expect: out-of-bounds
// where: 10
extern "C" __global__ void squares(int *next, int n, int *out)
{
    for (;;) {
        int i = atomicAdd(next, 1);
        out[i] = i * i;
        if (i >= n - 1)
            break;
    }
}
