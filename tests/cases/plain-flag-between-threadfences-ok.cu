// The flag is volatile, which makes it a strong access under the PTX model.
// launch: kernel=post grid=2 block=32 args=text:u32[1]=0,flag:u32[1]=0,copy:u32[1]=8
// expect: clean
// final: copy[0]==8
extern "C" __global__ void post(unsigned *text, volatile unsigned *flag, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        text[0] = 8;
        __threadfence();
        flag[0] = 1;
    } else if (flag[0]) {
        __threadfence();
        copy[0] = text[0];
    }
}
