// M15: volatile makes the compiler perform each access as written; it makes nothing atomic and
// orders nothing. `counter += 1` stays a load and a store, and another thread may count between
// the two. One of the counts is then lost.
// launch: kernel=count grid=2 block=32 args=counter:u32[1]=0
// expect: lost-update
// accept: assert
// where: 12,12
// final: counter[0]==2
extern "C" __global__ void count(volatile unsigned *counter)
{
    if (threadIdx.x == 0)
        counter[0] = counter[0] + 1;
}
