// Repaired: the tail is raised before the item is in its place.
// launch: kernel=run grid=2 block=32 args=items:u32[4]=0,head:u32[1]=0,tail:u32[1]=0,done:u32[4]=0
// expect: clean
// final: done[i]==i+1 for i=0..3
#include <cuda/atomic>
template <typename T> class Queue {
    using A = cuda::atomic_ref<T, cuda::thread_scope_device>;
    T *items;
    T &head, &tail;
public:
    __device__ Queue(T *i, T *h, T *t) : items(i), head(*h), tail(*t) {}
    __device__ void push(T item)
    {
        T at = A(tail).load(cuda::memory_order_relaxed);
        items[at] = item;
        A(tail).store(at + 1, cuda::memory_order_release);
    }
    __device__ T pop()
    {
        T at = A(head).fetch_add(1, cuda::memory_order_relaxed);
        while (A(tail).load(cuda::memory_order_acquire) <= at)
            __nanosleep(10);
        return items[at];
    }
};

extern "C" __global__ void run(unsigned *items, unsigned *head, unsigned *tail, unsigned *done)
{
    Queue<unsigned> q(items, head, tail);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        for (unsigned i = 0; i < 4; i++)
            q.push(i + 1);
    } else {
        for (unsigned i = 0; i < 4; i++)
            done[i] = q.pop();
    }
}
