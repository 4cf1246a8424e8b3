// Four threads keep what they like in a list, then each looks at the place of its own number, where another may not
// have written yet.
// launch: kernel=keep grid=1 block=4 args=x:s32[4]=iota,list:s32[4]=0,seen:s32[4]=0,length:u32[1]=0
// expect: warp-sync-missing
// accept: data-race,barrier-missing
// where: 18,22
extern "C" __global__ void keep(const int *x, int *list, int *seen, unsigned *length)
{
    __shared__ unsigned used;
    __shared__ int kept[64];
    unsigned t = threadIdx.x;
    if (t == 0)
        used = 0;
    __syncthreads();
    if (x[t] > 0) {
        unsigned place = atomicAdd(&used, 1u);
        list[3 - place] = (int)t;
        kept[place] = x[t];
    }
    unsigned count = *(volatile unsigned *)&used;
    if (t < count)
        seen[t] = kept[t] + 1;
    if (t == 0)
        *length = count;
}
