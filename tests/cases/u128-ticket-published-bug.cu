// A message of 16 bytes is stored as two halves, the reader takes it by one load of 128 bits.
// launch: kernel=post grid=2 block=1 args=slot:u64[2]=0,out:u64[1]=0
// expect: torn-access
// accept: torn-access,stale-value,assertion-failure
// where: 11,15
// final: out[0]==77
extern "C" __global__ void post(unsigned long long *slot, unsigned long long *out)
{
    if (blockIdx.x == 0) {
        asm volatile("st.relaxed.gpu.global.b64 [%0], %1;" ::"l"(slot), "l"(1ull) : "memory");
        asm volatile("st.relaxed.gpu.global.b64 [%0+8], %1;" ::"l"(slot), "l"(77ull) : "memory");
    } else {
        unsigned long long flag, value;
        do
            asm volatile("{ .reg .b128 v; ld.relaxed.gpu.global.b128 v, [%2]; mov.b128 {%0, %1}, v; }" : "=l"(flag), "=l"(value) : "l"(slot) : "memory");
        while (flag == 0);
        *out = value;
    }
}
