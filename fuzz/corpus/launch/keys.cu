// launch: kernel=k grid=4,6,8 block=8,4,2 cluster=2,3 shared=1024 coop=1 pdl=1 device=3 stream=7 resident=500 args=n:u32=5
// launch: kernel="k<int>" grid=1 block=1 device=host args=a=A:f16[4]={1,-2.5,1e-3,.5},b=A:f16[4]={1,-2.5,1e-3,.5}
// relation: concurrent
// expect: data-race
