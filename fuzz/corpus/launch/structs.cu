// launch: kernel=k grid=1 block=1 args=p:{a:u8=1,b=B:f32[4]=0,c:u8*3={7..9},e:{x:u16=4,y:u64=&T[1]}},q:u64=&B[2]
// allocate: T:u64[4]={&B[3],&T*2,0},U:b64[2]=&T
