// A value and its flag share a word; the flag's half is written and the word is read as a whole.
// launch: kernel=pack grid=2 block=1 args=word:u32[1]=0,out:u32[1]=0
// expect: torn-access
// accept: data-race
// where: 11,16,12
// final: out[0]==0x70001
extern "C" __global__ void pack(unsigned *word, unsigned *out)
{
    if (blockIdx.x == 0) {
        volatile unsigned short *half = (volatile unsigned short *)word;
        half[1] = 7;
        half[0] = 1;
    } else {
        unsigned v;
        do
            v = *(volatile unsigned *)word;
        while ((v & 0xffff) == 0);
        *out = v;
    }
}
