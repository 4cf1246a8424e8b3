// A block reads an image from a surface, waits, and writes it back upside down; x counts bytes. What is outside is not
// written, and reads as zero.
// launch: kernel=turn grid=1 block=64 args=image:u32[8,8]:tex2d=iota,out:u32[3]=9
// expect: clean
// final: image[i] == (7 - i / 8) * 8 + i % 8 for i=0..63
// final: out[0] == 0 && out[1] == 63 && out[2] == 8
extern "C" __global__ void turn(cudaSurfaceObject_t image, unsigned *out) {
  int x = threadIdx.x % 8, y = threadIdx.x / 8;
  unsigned value;
  surf2Dread(&value, image, 4 * x, y);
  if (threadIdx.x == 0) {
    surf2Dread(out, image, -4, 3, cudaBoundaryModeZero);
    surf2Dread(out + 1, image, 100, 100, cudaBoundaryModeClamp);
    surf2Dwrite(77u, image, 32, 0, cudaBoundaryModeZero);
    asm volatile("suq.width.b32 %0, [%1];" : "=r"(out[2]) : "l"(image));
  }
  __syncthreads();
  surf2Dwrite(value, image, 4 * x, 7 - y);
}
