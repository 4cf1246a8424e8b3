// Each thread reads an entry that it has filled.
// launch: kernel=pick grid=1 block=8 args=x:u32[8]=iota,y:u32[8]=0
// expect: clean
// final: y[t]==t for t=0..7
extern "C" __global__ void pick(const unsigned *x, unsigned *y)
{
    unsigned own[16];
    unsigned t = threadIdx.x;
    for (unsigned i = 0; i <= x[t]; i++)
        own[i] = i;
    y[t] = own[x[t]];
}
