// A compare-and-swap takes the seat only if it is still free.
// launch: kernel=book grid=2 block=32 args=free_seats:u32[1]=1,booked:u32[2]=0
// expect: clean
// final: booked[0]+booked[1]==1
extern "C" __global__ void book(unsigned *free_seats, unsigned *booked)
{
    if (threadIdx.x != 0)
        return;
    if (atomicCAS(free_seats, 1, 0) == 1)
        booked[blockIdx.x] = 1;
}
