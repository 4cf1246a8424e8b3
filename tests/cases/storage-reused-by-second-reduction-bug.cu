// Two reductions of a warp use one storage: the second stores before lane 0 has read the first.
// launch: kernel=stats grid=2 block=32 args=x:f64[64]=2,mean:f64[2]=0,square:f64[2]=0
// expect: warp-sync-missing
// where: 17,12
// final: mean[b]==64 && square[b]==128 for b=0..1
template <typename T, int WIDTH> class WarpSum {
public:
    struct Storage { T slot[WIDTH]; };
    __device__ explicit WarpSum(Storage &s) : storage(s), lane(threadIdx.x % WIDTH) {}
    __device__ T sum(T value)
    {
        storage.slot[lane] = value;
        __syncwarp();
        T all = 0;
        if (lane == 0)
            for (int i = 0; i < WIDTH; i++)
                all += storage.slot[i];
        return all;
    }
private:
    Storage &storage;
    int lane;
};

extern "C" __global__ void stats(const double *x, double *mean, double *square)
{
    __shared__ WarpSum<double, 32>::Storage storage;
    double v = x[blockIdx.x * 32 + threadIdx.x];
    double first = WarpSum<double, 32>(storage).sum(v);
    double second = WarpSum<double, 32>(storage).sum(v * v);
    if (threadIdx.x == 0) {
        mean[blockIdx.x] = first;
        square[blockIdx.x] = second;
    }
}
