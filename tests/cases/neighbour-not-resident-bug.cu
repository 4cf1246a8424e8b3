// Each block waits for the one after it, which starts only when this one has ended.
// launch: kernel=res grid=4 block=32 resident=2 args=flag:u32[4]=0,data:u32[4]=0,out:u32[4]=0
// expect: deadlock
// where: 13
extern "C" __global__ void res(volatile unsigned *flag, unsigned *data, unsigned *out)
{
    unsigned b = blockIdx.x;
    if (threadIdx.x) return;
    data[b] = b;
    __threadfence();
    flag[b] = 1;
     if (b + 1 < gridDim.x)
         while (flag[b + 1] == 0)
             ;
     __threadfence();
     out[b] = b + 1 < gridDim.x ? data[b + 1] : 0;
}
