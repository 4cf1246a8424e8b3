// The producer tells the consumer by a named barrier that the buffer is full, but the consumer
// never tells that it is empty.
// launch: kernel=feed_twice grid=1 block=64 args=y:u32[64]=0
// expect: barrier-missing
// accept: data-race,barrier-mismatch
// where: 14,15,18
// final: y[32*k+t]==50*k+t for k=0..1, t=0..31
extern "C" __global__ void feed_twice(unsigned *y)
{
    __shared__ unsigned buffer[32];
    unsigned t = threadIdx.x % 32;
    for (unsigned k = 0; k < 2; k++) {
        if (threadIdx.x < 32) {
            buffer[t] = 50 * k + t;
            asm volatile("barrier.arrive 1, 64;" ::: "memory");
        } else {
            asm volatile("barrier.sync 1, 64;" ::: "memory");
            y[32 * k + 31 - t] = buffer[31 - t];
        }
    }
}
