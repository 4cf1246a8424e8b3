// Repaired: two blocks set neighbouring bit fields, which are one word.
// launch: kernel=mark grid=2 block=1 args=state:u32[1]=0
// expect: clean
// final: state[0]==3
struct State { unsigned left : 1, right : 1, rest : 30; };

extern "C" __global__ void mark(State *state)
{
    if (blockIdx.x == 0)
        atomicOr(reinterpret_cast<unsigned *>(state), 1u);
    else
        atomicOr(reinterpret_cast<unsigned *>(state), 2u);
}
