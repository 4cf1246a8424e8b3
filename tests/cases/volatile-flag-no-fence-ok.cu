// Fences before the store and behind the load of the flag order the data.
// launch: kernel=publish_sample grid=2 block=32 args=sample:u32[1]=0,valid:u32[1]=0,copy:u32[1]=6
// expect: clean
// final: copy[0]==6
extern "C" __global__ void publish_sample(unsigned *sample, volatile unsigned *valid, unsigned *copy)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        sample[0] = 6;
        __threadfence();
        valid[0] = 1;
    } else if (valid[0]) {
        __threadfence();
        copy[0] = sample[0];
    }
}
