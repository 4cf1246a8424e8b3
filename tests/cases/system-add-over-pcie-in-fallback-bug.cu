// Two cards without native atomics between them count jobs in memory of the first one.
// machine: cards-without-peer-atomics.machine
// launch: kernel=count device=0 grid=1 block=32 args=jobs=J:u32[1]=0
// launch: kernel=count device=1 grid=1 block=32 args=jobs=J:u32[1]=0
// buffers: J=device:0
// relation: concurrent
// expect: not-atomic-here
// accept: lost-update
// where: 13
// final: J[0] == 64
extern "C" __global__ void count(unsigned *jobs)
{
    atomicAdd_system(jobs, 1);
}
