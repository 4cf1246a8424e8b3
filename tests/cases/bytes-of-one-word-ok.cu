// The threads write single bytes; writes of neighbouring bytes do not touch each other.
// launch: kernel=paint grid=1 block=4 args=pixel:u8[4]=0
// expect: clean
// final: pixel[t]==t+1 for t=0..3
extern "C" __global__ void paint(unsigned char *pixel)
{
    unsigned t = threadIdx.x;
    pixel[t] = t + 1;
}
