// Repaired: as before with the roles changed.
// launch: kernel=feed grid=1 block=64 args=out:u32[64]=0
// expect: clean
// final: out[i]==i for i=0..63
template <int ID> struct Named {
    static __device__ void sync() { asm volatile("bar.sync %0, 64;" ::"n"(ID) : "memory"); }
    static __device__ void arrive() { asm volatile("bar.arrive %0, 64;" ::"n"(ID) : "memory"); }
};
using Full = Named<1>;
using Empty = Named<2>;

extern "C" __global__ void feed(unsigned *out)
{
    __shared__ unsigned item[32];
    unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (unsigned k = 0; k < 2; k++) {
            if (k > 0)
                Empty::sync();
            item[lane] = 32 * k + lane;
            Full::arrive();
        }
    } else {
        for (unsigned k = 0; k < 2; k++) {
            Full::sync();
            out[32 * k + lane] = item[lane];
            if (k == 0)
                Empty::arrive();
        }
    }
}
