// The fields of a task are written one after the other: each write reads the whole word, most of whose bits
// nothing has written yet, and leaves all but its own as they were.
// nvcc: -G
// launch: kernel=assign grid=2 block=32 args=out:u32[64]=0
// expect: clean
struct Task {
    unsigned kind : 3, owner : 5;
    unsigned rest : 24;
};

extern "C" __global__ void assign(unsigned *out)
{
    Task task;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    task.kind = threadIdx.x;
    task.owner = blockIdx.x;
    if (task.owner == blockIdx.x)
        out[i] = task.kind;
}
