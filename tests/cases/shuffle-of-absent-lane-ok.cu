// Lanes for which there is no other one leave aside what the shuffle gives them.
// launch: kernel=sum grid=1 block=32 args=x:u32[20]=1,y:u32[1]=0
// expect: clean
// final: y[0]==20
extern "C" __global__ void sum(const unsigned *x, unsigned *y)
{
    unsigned t = threadIdx.x;
    if (t < 20) {
        unsigned v = x[t];
        for (unsigned d = 16; d > 0; d /= 2) {
            unsigned other = __shfl_down_sync(0xfffff, v, d);
            if (t + d < 20)
                v += other;
        }
        if (t == 0)
            *y = v;
    }
}
