// A wait follows each arrival.
// launch: kernel=halves grid=2 block=32 cluster=2 args=y:u32[64]=0
// expect: clean
// final: y[i]==2*i for i=0..63
extern "C" __global__ void halves(unsigned *y)
{
    unsigned i = 32 * blockIdx.x + threadIdx.x;
    y[i] = i;
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    y[i] *= 2;
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}
