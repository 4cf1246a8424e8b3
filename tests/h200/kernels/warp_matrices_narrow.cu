// wmma of 4 bits and of single bits.
// launch: kernel=warp_matrices_narrow grid=1 block=32 args=a:u32[64]=random:41,b:u32[64]=random:42,c:s32[64]=iota,out:s32[384]=0
#include <mma.h>
using namespace nvcuda;
using namespace nvcuda::wmma::experimental;

template <typename Type, int Depth> __device__ void multiply(const unsigned *a, const unsigned *b, const int *c, int *out) {
  wmma::fragment<wmma::matrix_a, 8, 8, Depth, Type, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, Depth, Type, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, Depth, int> sums;
  wmma::load_matrix_sync(left, a, 64);
  wmma::load_matrix_sync(right, b, 64);
  wmma::load_matrix_sync(sums, c, 8, wmma::mem_row_major);
  wmma::mma_sync(sums, left, right, sums);
  wmma::store_matrix_sync(out, sums, 8, wmma::mem_row_major);
}

template <bmmaBitOp Operation> __device__ void count(const unsigned *a, const unsigned *b, const int *c, int *out) {
  wmma::fragment<wmma::matrix_a, 8, 8, 128, precision::b1, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, 128, precision::b1, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sums;
  wmma::load_matrix_sync(left, a, 128);
  wmma::load_matrix_sync(right, b, 128);
  wmma::load_matrix_sync(sums, c, 8, wmma::mem_col_major);
  wmma::bmma_sync(sums, left, right, sums, Operation, bmmaAccumulateOpPOPC);
  wmma::store_matrix_sync(out, sums, 8, wmma::mem_col_major);
}

extern "C" __global__ void warp_matrices_narrow(const unsigned *a, const unsigned *b, const int *c, int *out) {
  multiply<precision::s4, 32>(a, b, c, out);
  multiply<precision::u4, 32>(a, b, c, out + 64);
  count<bmmaBitOpXOR>(a, b, c, out + 128);
  count<bmmaBitOpAND>(a, b, c, out + 192);
}
