// Each thread sets a byte of its own, but by reading, changing and writing the whole word, which
// takes back what others set between.
// launch: kernel=paint grid=1 block=4 args=pixel:u8[4]=0
// expect: lost-update
// accept: assert
// where: 11,12
// final: pixel[t]==t+1 for t=0..3
extern "C" __global__ void paint(volatile unsigned *pixel)
{
    unsigned t = threadIdx.x;
    unsigned others = *pixel & ~(0xffu << 8 * t);
    *pixel = others | (t + 1) << 8 * t;
}
