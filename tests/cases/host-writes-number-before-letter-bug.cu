// The host writes the number of a letter before the letter itself.
// launch: kernel=serve device=0 grid=1 block=1 args=letter:u32[2]=0,number:u32[1]=0,out:u32[2]=0
// launch: kernel=host device=host grid=1 block=1 args=letter:u32[2]=0,number:u32[1]=0
// relation: concurrent
// expect: data-race
// where: 14,20
// final: out[0]==11 && out[1]==12
#include <cuda/atomic>
using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_system>;
extern "C" __global__ void serve(unsigned *letter, unsigned *number, unsigned *out)
{
    while (Word(*number).load(cuda::memory_order_acquire) != 1)
        ;
    out[0] = letter[0];
    out[1] = letter[1];
}
extern "C" __global__ void host(unsigned *letter, unsigned *number)
{
    Word(*number).store(1, cuda::memory_order_release);
    letter[0] = 11;
    letter[1] = 12;
}
