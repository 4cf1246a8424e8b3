// Key and count in one word; the count is raised by a load and an exchange.
// launch: kernel=count grid=4 block=1 args=tab:u64[4]=0,out:u32[1]=0
// expect: lost-update
// where: 14
// final: (tab[0] & 0xffffffff) + (tab[1] & 0xffffffff) + (tab[2] & 0xffffffff) + (tab[3] & 0xffffffff) == 4
extern "C" __global__ void count(unsigned long long *tab, unsigned *out)
{
    unsigned long long key = 7ull + (blockIdx.x == 3);
    unsigned h = key & 3;
    for (;; h = (h + 1) & 3) {
        unsigned long long old = atomicCAS(tab + h, 0ull, key << 32 | 1);
        if (old == 0) break;
        if (old >> 32 != key) continue;
         atomicExch(tab + h, old + 1);
         break;
    }
}
// run: no, the three seldom meet in one entry
