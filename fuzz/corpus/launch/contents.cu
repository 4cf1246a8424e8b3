// launch: kernel=k grid=1 block=1 args=a:u8[9]={1*3,undef*2,5..2},b:s64[2]=random:7,c:bf16[3]=iota,d:f64[2]={inf,-nan},e:b16[2]=undef,f:u8[1]=file:x,g:u8[1]=file:"n o"
