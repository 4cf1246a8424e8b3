// The writer waits until the copy has read its source.
// launch: kernel=store_twice grid=1 block=32 args=out:u32[8]=0
// expect: clean
// final: out[i]==(i<4 ? 1 : 2) for i=0..7
extern "C" __global__ void store_twice(unsigned *out)
{
    __shared__ alignas(16) unsigned line[4];
    if (threadIdx.x != 0)
        return;
    unsigned from = (unsigned)__cvta_generic_to_shared(line);
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned i = 0; i < 4; i++)
            line[i] = k + 1;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(out + 4 * k), "r"(from) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
