// A second named barrier tells the producer that the buffer may be filled again.
// launch: kernel=feed_twice grid=1 block=64 args=y:u32[64]=0
// expect: clean
// final: y[32*k+t]==50*k+t for k=0..1, t=0..31
extern "C" __global__ void feed_twice(unsigned *y)
{
    __shared__ unsigned buffer[32];
    unsigned t = threadIdx.x % 32;
    for (unsigned k = 0; k < 2; k++) {
        if (threadIdx.x < 32) {
            if (k > 0)
                asm volatile("barrier.sync 2, 64;" ::: "memory");
            buffer[t] = 50 * k + t;
            asm volatile("barrier.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("barrier.sync 1, 64;" ::: "memory");
            y[32 * k + 31 - t] = buffer[31 - t];
            if (k == 0)
                asm volatile("barrier.arrive 2, 64;" ::: "memory");
        }
    }
}
