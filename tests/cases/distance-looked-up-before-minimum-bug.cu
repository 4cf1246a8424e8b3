// A distance is compared by a plain load before the atomic minimum, while others lower it.
// launch: kernel=relax coop=1 grid=3 block=1 args=dist:u32[1]=100,by:u32[3]={30,20,25}
// expect: data-race
// where: 10,11
// final: dist[0]==20
#include <cuda/atomic>
extern "C" __global__ void relax(unsigned *dist, const unsigned *by)
{
    unsigned d = by[blockIdx.x];
    if (d < *dist)
        atomicMin(dist, d);
}
