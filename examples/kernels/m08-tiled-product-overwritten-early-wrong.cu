// M8: __syncthreads() waits for all threads of the block, and makes what each wrote before it
// visible to all of them. Here the barrier between the reads of a tile and the writes of the next
// one is missing. A fast thread may overwrite an element that a slow one still needs.
// launch: kernel=product grid=1 block=8,8 args=a:f32[128]=1,b:f32[128]=iota,c:f32[64]=0
// expect: barrier-missing
// where: 17,20
// final: c[8*row+column]==960+16*column for row=0..7, column=0..7

// c = a * b, where a has 8 rows of 16 and b has 16 rows of 8: two tiles of 8 by 8.
extern "C" __global__ void product(const float *a, const float *b, float *c)
{
    __shared__ float left[8][8], right[8][8];
    unsigned row = threadIdx.y, column = threadIdx.x;
    float sum = 0;
    for (unsigned k = 0; k < 16; k += 8) {
        left[row][column] = a[16 * row + k + column];
        right[row][column] = b[8 * (k + row) + column];
        __syncthreads();
        for (unsigned i = 0; i < 8; i++)
            sum += left[row][i] * right[i][column];
    }
    c[8 * row + column] = sum;
}
