// The last row has fewer elements than a warp has lanes, and lanes without one leave the loop before the
// shuffles that name all lanes.
// launch: kernel=rows grid=1 block=32 args=x:u32[40]=1,y:u32[3]=0
// expect: deadlock
// accept: barrier-divergence,barrier-mismatch,uninitialised
// final: y[0] == 32 && y[1] == 8 && y[2] == 40
extern "C" __global__ void rows(const unsigned *x, unsigned *y)
{
    unsigned lane = threadIdx.x;
    for (unsigned row = 0; row < 2; row++) {
        unsigned i = 32 * row + lane;
        if (i >= 40)
            break;
        unsigned mask = ~0u;
        unsigned sum = x[i];
        for (int distance = 4; distance > 0; distance /= 2)
            sum += __shfl_xor_sync(mask, sum, distance);
        if (row == 0) {
            sum += __shfl_xor_sync(mask, sum, 8);
            sum += __shfl_xor_sync(mask, sum, 16);
        }
        if (lane == 0)
            y[row] = sum;
    }
    __syncwarp();
    if (lane == 1)
        y[2] = y[0] + y[1];
}
