// More threads append than the list has room for.
// launch: kernel=append grid=8 block=1 args=count:u32[1]=0,list:u32[5]=0,capacity:u32=5
// expect: clean
extern "C" __global__ void append(unsigned *count, unsigned *list, unsigned capacity)
{
    unsigned i = atomicAdd(count, 1u);
    if (i < capacity) list[i] = blockIdx.x;
}
