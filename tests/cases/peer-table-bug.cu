// The buffers of all devices come in a table, the flags in a struct; the flag of a device reaches only itself.
// launch: kernel=reduce device=0 grid=1 block=32 args=data:u64[2]={&A,&B},signals:{own:u64=&FA,peer:u64=&FB,rank:u32=0},out=OA:u32[32]=0
// launch: kernel=reduce device=1 grid=1 block=32 args=data:u64[2]={&A,&B},signals:{own:u64=&FB,peer:u64=&FA,rank:u32=1},out=OB:u32[32]=0
// allocate: A:u32[32]=1,B:u32[32]=2,FA:u32[1]=0,FB:u32[1]=0
// buffers: B=device:1 FB=device:1
// relation: concurrent
// expect: scope-too-narrow
// where: 14,23
// final: OA[i] == 33 for i=0..31
struct Signals { unsigned *own, *peer; unsigned rank; };
extern "C" __global__ void reduce(unsigned *const *data, Signals signals, unsigned *out)
{
    unsigned i = threadIdx.x, seen;
    data[signals.rank][i] *= 11;
    __syncthreads();
    if (i == 0) {
        asm volatile("st.release.gpu.global.u32 [%0], 1;" :: "l"(signals.peer) : "memory");
        do
            asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(seen) : "l"(signals.own) : "memory");
        while (seen == 0);
    }
    __syncthreads();
    out[i] = data[0][i] + data[1][i];
}
