// Twenty generations of the game of life on a torus.
// launch: kernel=game_of_life grid=1 block=32,32 args=board:u8[1024]=random:32
extern "C" __global__ void game_of_life(unsigned char *board) {
  __shared__ unsigned char a[2][32][32];
  unsigned x = threadIdx.x, y = threadIdx.y;
  a[0][y][x] = board[y * 32 + x] & 1;
  __syncthreads();
  for (unsigned step = 0; step < 20; step++) {
    unsigned sum = 0;
    for (unsigned k = 0; k < 9; k++)
      sum += k == 4 ? 0 : a[step % 2][(y + k / 3 + 31) % 32][(x + k % 3 + 31) % 32];
    a[1 - step % 2][y][x] = sum == 3 || (sum == 2 && a[step % 2][y][x]);
    __syncthreads();
  }
  board[y * 32 + x] = a[0][y][x];
}
