// A switch that becomes a jump table, and nested divergent loops with breaks.
// launch: kernel=switches grid=1 block=96 args=in:u32[96]=random:9,out:u32[96]=0
extern "C" __global__ void switches(const unsigned *in, unsigned *out) {
  unsigned value = in[threadIdx.x], sum = 0;
  for (unsigned i = 0; i < value % 50; i++) {
    switch ((value >> i % 16) % 11) {
    case 0: sum += 3; break;
    case 1: sum ^= value; break;
    case 2: sum = sum << 1 | sum >> 31; break;
    case 3: if (sum > 1000) continue; sum *= 5; break;
    case 4: sum -= i; break;
    case 5: sum += __popc(sum); break;
    case 6: for (unsigned k = 0; k < sum % 7; k++) { if (k == 4) break; sum += k; } break;
    case 7: sum = ~sum; break;
    case 8: sum = max(sum, i); break;
    case 9: sum = __brev(sum); break;
    default: sum += 7;
    }
    if (sum == 0x12345)
      break;
  }
  out[threadIdx.x] = sum;
}
