// Three kernels, each launched early behind the one before. The third one reads what the first one wrote. It waits for the
// second one, which has waited for the first one.
// launch: kernel=produce grid=1 block=32 args=a=A:u32[32]=0
// launch: kernel=between grid=1 block=32 pdl=1 args=b=B:u32[32]=0
// launch: kernel=consume grid=1 block=32 pdl=1 args=a=A:u32[32]=0,b=B:u32[32]=0,y:u32[32]=0
// relation: pdl
// expect: clean
// final: y[i] == 3*i for i=0..31
#include <cuda_runtime.h>

extern "C" __global__ void produce(unsigned *a)
{
    cudaTriggerProgrammaticLaunchCompletion();
    a[threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void between(unsigned *b)
{
    cudaTriggerProgrammaticLaunchCompletion();
    b[threadIdx.x] = 2 * threadIdx.x;
    cudaGridDependencySynchronize();
}

extern "C" __global__ void consume(const unsigned *a, const unsigned *b, unsigned *y)
{
    cudaGridDependencySynchronize();
    y[threadIdx.x] = ((volatile const unsigned *)a)[threadIdx.x] + ((volatile const unsigned *)b)[threadIdx.x];
}
