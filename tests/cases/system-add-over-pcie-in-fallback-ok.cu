// Two cards without native atomics between them count jobs in memory of each one's own.
// machine: cards-without-peer-atomics.machine
// launch: kernel=count device=0 grid=1 block=32 args=jobs=J:u32[1]=0
// launch: kernel=count device=1 grid=1 block=32 args=jobs=K:u32[1]=0
// buffers: J=device:0 K=device:1
// relation: concurrent
// expect: clean
// final: J[0] + K[0] == 64
extern "C" __global__ void count(unsigned *jobs)
{
    atomicAdd_system(jobs, 1);
}
