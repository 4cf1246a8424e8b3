// Mandelbrot set: loops of data-dependent length on floats.
// launch: kernel=mandelbrot grid=4,4 block=8,8 args=out:u32[1024]=0
extern "C" __global__ void mandelbrot(unsigned *out) {
  unsigned px = blockIdx.x * 8 + threadIdx.x, py = blockIdx.y * 8 + threadIdx.y, n = 0;
  float cx = px * (3.0f / 32) - 2.25f, cy = py * (2.5f / 32) - 1.25f, x = 0, y = 0;
  while (n < 200 && x * x + y * y < 4) {
    float next = x * x - y * y + cx;
    y = 2 * x * y + cy, x = next, n++;
  }
  out[py * 32 + px] = n;
}
