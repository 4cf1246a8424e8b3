// Merging two sorted rows by binary search of each element in the other.
// launch: kernel=search_and_merge grid=1 block=128 args=a:s32[64]={0..63},b:s32[64]={10..73},out:s32[128]=0
extern "C" __global__ void search_and_merge(const int *a, const int *b, int *out) {
  unsigned t = threadIdx.x, from_a = t < 64, low = 0, high = 64;
  int value = from_a ? a[t] : b[t - 64];
  const int *other = from_a ? b : a;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (from_a ? other[middle] < value : other[middle] <= value)
      low = middle + 1;
    else
      high = middle;
  }
  out[t % 64 + low] = value;
}
