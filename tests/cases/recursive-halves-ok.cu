// Threads sort halves of an array by a function that calls itself, and each its own half.
// launch: kernel=sort grid=1 block=64 args=values:u32[17]=random:5
// expect: clean
__device__ __noinline__ void quick(unsigned *values, int low, int high) {
  if (low >= high)
    return;
  unsigned pivot = values[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (values[i] < pivot)
      i++;
    while (values[j] > pivot)
      j--;
    if (i <= j) {
      unsigned value = values[i];
      values[i++] = values[j];
      values[j--] = value;
    }
  }
  quick(values, low, j);
  quick(values, i, high);
}

extern "C" __global__ void sort(unsigned *values) {
  if (threadIdx.x == 0)
    quick(values, 0, 8);
  else if (threadIdx.x == 32)
    quick(values, 9, 16);
}
