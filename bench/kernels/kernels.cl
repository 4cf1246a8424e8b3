// The kernels of kernels.cu in OpenCL.
kernel void vector_add(global const float *a, global const float *b, global float *c, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    c[i] = a[i] + b[i];
}

kernel void matrix_product(global const float *a, global const float *b, global float *c, uint n) {
  local float x[16][16], y[16][16];
  uint tx = get_local_id(0), ty = get_local_id(1);
  uint column = get_group_id(0) * 16 + tx, row = get_group_id(1) * 16 + ty;
  float sum = 0;
  for (uint k = 0; k < n; k += 16) {
    x[ty][tx] = a[row * n + k + tx];
    y[ty][tx] = b[(k + ty) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 16; i++)
      sum += x[ty][i] * y[i][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

kernel void block_reduction(global const uint *in, global uint *out) {
  local uint sums[256];
  uint t = get_local_id(0);
  sums[t] = in[get_group_id(0) * 256 + t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 128; s > 0; s /= 2) {
    if (t < s)
      sums[t] += sums[t + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0)
    out[get_group_id(0)] = sums[0];
}

kernel void histogram(global const uint *in, global uint *out, uint n) {
  local uint bins[256];
  bins[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_group_id(0) * 256 + get_local_id(0); i < n; i += get_num_groups(0) * 256)
    atomic_add(&bins[in[i] & 255], 1u);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[get_local_id(0)], bins[get_local_id(0)]);
}
