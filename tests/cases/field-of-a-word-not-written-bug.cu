// The kind of a task is written, its owner is not: the bits beside the kind are whatever they were. Compiled
// without optimisation both fields are parts of one word in local memory.
// nvcc: -G
// launch: kernel=assign grid=2 block=32 args=out:u32[64]=0
// expect: uninitialised
// where: 17
struct Task {
    unsigned kind : 3, owner : 5;
    unsigned rest : 24;
};

extern "C" __global__ void assign(unsigned *out)
{
    Task task;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    task.kind = threadIdx.x;
    if (task.owner == blockIdx.x)
        out[i] = task.kind;
}
