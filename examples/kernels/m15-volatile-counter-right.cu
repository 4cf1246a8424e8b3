// M15: volatile makes the compiler perform each access as written; it makes nothing atomic and
// orders nothing. atomicAdd() loads, adds and stores in one step that no other thread gets
// between. No count is lost.
// launch: kernel=count grid=2 block=32 args=counter:u32[1]=0
// expect: clean
// final: counter[0]==2
extern "C" __global__ void count(unsigned *counter)
{
    if (threadIdx.x == 0)
        atomicAdd(counter, 1);
}
