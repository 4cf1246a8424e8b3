// Word count with open addressing: a thread claims a slot by compare-and-swap on its key, and adds to the count beside
// it, which begins at zero.
// launch: kernel=count_words grid=2 block=2 args=words:u32[4]={7,3,7,7},keys:u32[4]=0,counts:u32[4]=0
// expect: clean
// final: counts[3] == 4 || counts[3] + counts[0] == 4
// final: keys[3] != 7 || counts[3] == 3
extern "C" __global__ void count_words(const unsigned *words, unsigned *keys, unsigned *counts)
{
    unsigned word = words[blockIdx.x * blockDim.x + threadIdx.x];
    for (unsigned slot = word % 4;; slot = (slot + 1) % 4) {
        unsigned there = atomicCAS(keys + slot, 0, word);
        if (there == 0 || there == word) {
            atomicAdd(counts + slot, 1);
            break;
        }
    }
}
