// Sixty-four threads keep what they like in a list, then each looks at the place of its own number, and one counts.
// launch: kernel=keep grid=1 block=64 args=x:s32[64]=iota,list:s32[64]=0,seen:s32[64]=0,length:u32[1]=0
// expect: clean
// final: length[0]==63
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
        kept[place] = x[t];
        list[63 - place] = (int)t;
    }
    __syncthreads();
    if (t < used)
        seen[t] = kept[t] + 1;
    if (t == 0)
        *length = used;
}
