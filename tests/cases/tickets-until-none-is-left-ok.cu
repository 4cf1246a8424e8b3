// Threads take work until none is left.
// launch: kernel=squares grid=4 block=1 args=next:u32[1]=0,n:s32=6,out:s32[6]=0
// expect: clean
extern "C" __global__ void squares(int *next, int n, int *out)
{
    for (;;) {
        int i = atomicAdd(next, 1);
        if (i >= n)
            break;
        out[i] = i * i;
    }
}
