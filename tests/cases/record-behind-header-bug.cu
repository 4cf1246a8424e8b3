// A 64-bit record is stored behind a header of four bytes.
// launch: kernel=write_record grid=1 block=1 args=file:u8[32]=0,value:u64=77
// expect: misaligned
// where: 9,9
// final: file[4]==77
extern "C" __global__ void write_record(unsigned char *file, unsigned long long value)
{
    *reinterpret_cast<unsigned *>(file) = 1;
    *reinterpret_cast<unsigned long long *>(file + 4) = value;
}
