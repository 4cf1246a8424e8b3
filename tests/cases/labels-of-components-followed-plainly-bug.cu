// Connected components: the root of a vertex is looked for by plain loads while others hook roots.
// launch: kernel=hook coop=1 grid=2 block=1 args=parent:u32[3]={0,1,2},from:u32[2]={1,2},to:u32[2]={0,1}
// expect: data-race
// where: 10,25
// final: parent[0]==0 && parent[1]==0 && parent[2]<=1
#include <cuda/atomic>
__device__ unsigned root(unsigned *parent, unsigned v)
{
    for (;;) {
        unsigned up = parent[v];
        if (up == v)
            return v;
        v = up;
    }
}
extern "C" __global__ void hook(unsigned *parent, const unsigned *from, const unsigned *to)
{
    unsigned a = from[blockIdx.x], b = to[blockIdx.x];
    for (;;) {
        a = root(parent, a);
        b = root(parent, b);
        if (a == b)
            break;
        unsigned high = a > b ? a : b, low = a > b ? b : a;
        if (atomicCAS(&parent[high], high, low) == high)
            break;
    }
}
