// A packet of data and flag is stored as one 64-bit word, but the receiver reads the flag and the
// data by two 32-bit loads.
// launch: kernel=packet grid=2 block=32 args=wire:u64[1]=0,received:u32[1]=9
// expect: torn-access
// accept: no-synchronisation
// where: 13,16,17
// final: received[0]==9
extern "C" __global__ void packet(volatile unsigned long long *wire, unsigned *received)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        wire[0] = 1ull << 32 | 9;
    } else {
        volatile unsigned *half = (volatile unsigned *)wire;
        if (half[1] == 1)
            received[0] = half[0];
    }
}
