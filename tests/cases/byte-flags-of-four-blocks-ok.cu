// Each block raises a byte of its own, with release; all bytes lie in one word.
// launch: kernel=publish coop=1 grid=3 block=1 args=flag:u8[4]=0,data:u32[2]=0,out:u32[1]=0
// expect: clean
// final: out[0]==3
#include <cuda/atomic>
using Flag = cuda::atomic_ref<unsigned char, cuda::thread_scope_device>;
extern "C" __global__ void publish(unsigned char *flag, unsigned *data, unsigned *out)
{
    unsigned b = blockIdx.x;
    if (b < 2) {
        data[b] = b + 1;
        Flag(flag[2 * b]).store(1, cuda::memory_order_release);
    } else {
        unsigned sum = 0;
        for (unsigned i = 0; i < 2; i++) {
            while (Flag(flag[2 * i]).load(cuda::memory_order_acquire) == 0)
                ;
            sum += data[i];
        }
        *out = sum;
    }
}
