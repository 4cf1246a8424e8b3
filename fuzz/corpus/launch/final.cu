// launch: kernel=k grid=2 block=32 args=out:u32[64]=iota,z:f32[2]={1,undef}
// final: out[32*b+t]==(1-b)*100+t || !(z[0]<0.5) && ~t%3!=-1 for t=0..31, b=0..1
// final: i<3?out[i]>>i&1|2^3:out[i]/i<=1<<i for i=0..9
