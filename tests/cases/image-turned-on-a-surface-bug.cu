// A block reads an image from a surface and at once writes it back upside down; x counts bytes. What is outside is not
// written, and reads as zero.
// launch: kernel=turn grid=1 block=64 args=image:u32[8,8]:tex2d=iota,out:u32[3]=9
// expect: data-race
// where: 9,16
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
  surf2Dwrite(value, image, 4 * x, 7 - y);
}
