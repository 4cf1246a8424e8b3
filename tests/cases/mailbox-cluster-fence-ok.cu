// The fences have device scope.
// launch: kernel=mailbox grid=2 block=32 args=letter:u32[1]=0,full:u32[1]=0,read:u32[1]=5
// expect: clean
// final: read[0]==5
extern "C" __global__ void mailbox(unsigned *letter, unsigned *full, unsigned *read)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        letter[0] = 5;
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
        atomicExch(full, 1);
    } else if (atomicAdd(full, 0) == 1) {
        asm volatile("fence.acq_rel.gpu;" ::: "memory");
        read[0] = letter[0];
    }
}
