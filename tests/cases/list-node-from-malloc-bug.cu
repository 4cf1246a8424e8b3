// Thread 0 hands thread 32 a message that it took from the heap of the device. The pointer is published
// without an order, so that the message may not be written yet when it is read.
// launch: kernel=hand_over grid=1 block=64 args=box:u64[1]=0,out:u32[2]=0
// expect: data-race
// accept: uninitialised
// where: 21,26
// final: out[0] == 7 && out[1] == 8
#include <cuda/atomic>

struct Message { unsigned first, second; };

extern "C" __global__ void hand_over(unsigned long long *box, unsigned *out)
{
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_device> slot(*box);
    if (threadIdx.x == 0) {
        unsigned *waste = (unsigned *)malloc(3);
        Message *message = (Message *)malloc(sizeof(Message));
        free(waste);
        if (!message)
            __trap();
        message->first = 7; message->second = 8;
        slot.store((unsigned long long)message, cuda::memory_order_relaxed);
    } else if (threadIdx.x == 32) {
        unsigned long long found;
        while ((found = slot.load(cuda::memory_order_acquire)) == 0) ;
        Message message = *(Message *)found;
        out[0] = message.first;
        out[1] = message.second;
    }
}
