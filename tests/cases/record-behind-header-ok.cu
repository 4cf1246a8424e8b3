// The header takes eight bytes.
// launch: kernel=write_record grid=1 block=1 args=file:u8[32]=0,value:u64=77
// expect: clean
// final: file[8]==77
extern "C" __global__ void write_record(unsigned char *file, unsigned long long value)
{
    *reinterpret_cast<unsigned *>(file) = 1;
    *reinterpret_cast<unsigned long long *>(file + 8) = value;
}
