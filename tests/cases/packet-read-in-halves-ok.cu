// The receiver reads the packet by one 64-bit load.
// launch: kernel=packet grid=2 block=32 args=wire:u64[1]=0,received:u32[1]=9
// expect: clean
// final: received[0]==9
extern "C" __global__ void packet(volatile unsigned long long *wire, unsigned *received)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        wire[0] = 1ull << 32 | 9;
    } else {
        unsigned long long word = wire[0];
        if (word >> 32 == 1)
            received[0] = (unsigned)word;
    }
}
