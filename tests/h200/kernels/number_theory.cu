// Greatest common divisors, powers modulo a number, primes and digits: division of every kind.
// launch: kernel=number_theory grid=1 block=64 args=in:u64[64]=random:44,out:u64[256]=0
extern "C" __global__ void number_theory(const unsigned long long *in, unsigned long long *out) {
  unsigned t = threadIdx.x;
  unsigned long long a = in[t], b = in[63 - t] >> 20, x = a, y = b;
  while (y != 0) {
    unsigned long long r = x % y;
    x = y, y = r;
  }
  out[t] = x;
  unsigned long long m = (b >> 16 | 1) % 0xffffffff + 2, base = a % m, power = 1;
  for (unsigned e = t * 77 + 3; e; e >>= 1, base = base * base % m)
    if (e & 1)
      power = power * base % m;
  out[64 + t] = power;
  unsigned n = (unsigned)(a >> 44), d = 2;
  while (d * d <= n && n % d)
    d++;
  out[128 + t] = d * d > n ? n : d;
  long long s = (long long)a;
  out[192 + t] = (unsigned long long)(s / 1000003 * 7 + s % 1000003 + (int)s / 17 + (int)s % 17);
}
