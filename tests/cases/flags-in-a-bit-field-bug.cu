// Two blocks set neighbouring bit fields, which are one word. The compiler makes one store of both, which
// has no line: the branch before it is shown.
// launch: kernel=mark grid=2 block=1 args=state:u32[1]=0
// expect: data-race
// accept: lost-update
// where: 12
// final: state[0]==3
struct State { unsigned left : 1, right : 1, rest : 30; };

extern "C" __global__ void mark(State *state)
{
    if (blockIdx.x == 0)
        state->left = 1;
    else
        state->right = 1;
}
