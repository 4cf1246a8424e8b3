// The second phase reads what other blocks wrote in the first, with a block barrier between,
// which does nothing between blocks.
// launch: kernel=exchange_rows grid=2 block=32 coop=1 args=rows:u32[64]=0,swapped:u32[64]=0,sync_word:u32[1]=0
// expect: no-synchronisation
// accept: barrier-missing
// where: 11,13
// final: swapped[i]==63-i for i=0..63
extern "C" __global__ void exchange_rows(unsigned *rows, unsigned *swapped, unsigned *)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    rows[i] = i;
    __syncthreads();
    swapped[i] = rows[63 - i];
}
