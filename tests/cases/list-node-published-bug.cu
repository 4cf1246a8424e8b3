// A node is linked into a list by a relaxed store: who finds it may not find what it holds.
// launch: kernel=push grid=1 block=1 args=list:{head:u64=&head,node:u64=&nodes[2]},value:u32=7
// launch: kernel=pop grid=1 block=1 args=list:{head:u64=&head,node:u64=0},out:u32[2]=0
// allocate: head:u64[1]=&nodes,nodes:u64[4]={5,0,undef*2}
// relation: concurrent
// expect: data-race
// where: 13,22
// final: out[0] == 5 || out[0] == 7 && out[1] == 5
struct Node { unsigned long long value; Node *next; };
struct List { Node **head, *node; };
extern "C" __global__ void push(List list, unsigned value)
{
    list.node->value = value;
    list.node->next = *list.head;
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" :: "l"(list.head), "l"(list.node) : "memory");
}
extern "C" __global__ void pop(List list, unsigned *out)
{
    Node *node;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(node) : "l"(list.head) : "memory");
    for (int i = 0; node; node = node->next, i++)
        out[i] = node->value;
}
