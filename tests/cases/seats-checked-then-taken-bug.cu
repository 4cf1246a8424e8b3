// Two blocks look whether a seat is free and then take it, by two atomics; both may see the last
// one free.
// launch: kernel=book grid=2 block=32 args=free_seats:u32[1]=1,booked:u32[2]=0
// expect: assert
// accept: lost-update
// where: 12,13
// final: booked[0]+booked[1]==1
extern "C" __global__ void book(unsigned *free_seats, unsigned *booked)
{
    if (threadIdx.x != 0)
        return;
    if (atomicAdd(free_seats, 0) > 0) {
        atomicSub(free_seats, 1);
        booked[blockIdx.x] = 1;
    }
}
