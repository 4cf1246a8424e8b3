// Each phase of a cluster barrier takes one arrival of a thread; the wait between the two was lost.
// launch: kernel=halves grid=2 block=32 cluster=2 args=y:u32[64]=0
// expect: barrier-mismatch
// accept: deadlock,barrier-missing
// where: 12
extern "C" __global__ void halves(unsigned *y)
{
    unsigned i = 32 * blockIdx.x + threadIdx.x;
    y[i] = i;
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    y[i] *= 2;
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}
// run: no, a run does not look at repeated arrivals
