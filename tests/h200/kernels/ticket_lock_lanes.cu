// A ticket lock that every lane of a warp takes: lanes must make progress on their own.
// launch: kernel=ticket_lock_lanes grid=1 block=64 args=lock:u32[2]=0,out:u32[65]=0
extern "C" __global__ void ticket_lock_lanes(unsigned *lock, unsigned *out) {
  unsigned ticket = atomicAdd(lock, 1), turn;
  do
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(turn) : "l"(lock + 1) : "memory");
  while (turn != ticket);
  out[ticket] = ticket * 3 + out[64];
  out[64]++;
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(lock + 1), "r"(ticket + 1) : "memory");
}
