// Lane 0 fills in its warp's descriptor, the other lanes read it without a warp barrier.
// launch: kernel=lookup grid=1 block=64 args=key:u32[64]=iota,out:u64[64]=0
// expect: warp-sync-missing
// where: 14,23
// final: out[i]==(i/32)*32*1000+(i/32) for i=0..63
struct Descriptor { unsigned long long base; unsigned short warp; unsigned char valid; };

template <int WARPS> struct PerWarp {
    Descriptor d[WARPS];
    template <class Make> __device__ const Descriptor &get(Make make)
    {
        Descriptor &mine = d[threadIdx.x / 32];
        if (threadIdx.x % 32 == 0)
            mine = make();
        return mine;
    }
};

extern "C" __global__ void lookup(const unsigned *key, unsigned long long *out)
{
    __shared__ PerWarp<2> table;
    const Descriptor &d = table.get([&] { return Descriptor{key[threadIdx.x] * 1000ull, (unsigned short)(threadIdx.x / 32), 1}; });
    out[threadIdx.x] = d.valid ? d.base + d.warp : 0;
}
