// Wrong launch lines: exactly what is said, and where.
#include "launch_unit.h"

#define A_KEY                                                                                      \
  "a key (kernel, grid, block, cluster, shared, coop, pdl, device, stream, after, domain, "        \
  "resident or args)"

typedef struct Case {
  const char *text, *messages; // "LINE:COLUMN: message\n", notes likewise
} Case;

static bool says(Arena *arena, LaunchInputKind kind, const char *text, const char *expected) {
  DiagList diags;
  launch_read_kind(arena, kind, text, &diags);
  const char *found = ptx_diag_text(arena, &diags);
  if (strcmp(found, expected) == 0)
    return true;
  print_error("%.200s\nexpected:\n%sfound:\n%s\n", text, expected, found);
  return false;
}

// The text of --launch.
static const Case launch_cases[] = {
    {"hello", "1:1: expected " A_KEY ", found 'hello'\n"},
    {"grid=1 block=1", "1:1: expected 'kernel=NAME' in the launch line\n"},
    {"kernel=k block=1", "1:1: expected 'grid=X' in the launch line\n"},
    {"kernel=k grid=1", "1:1: expected 'block=X' in the launch line\n"},
    {"", "1:1: expected 'kernel=NAME' in the launch line\n"},
    {"kernel grid=1 block=1", "1:8: expected '=', found 'grid'\n"},
    {"kernel= grid=1 block=1", "1:9: expected a kernel's name, found 'grid='\n"},
    {"kernel=7 grid=1 block=1", "1:8: expected a kernel's name, found '7'\n"},
    {"kernel=\"\" grid=1 block=1", "1:8: expected a kernel's name, found '\"\"'\n"},
    {"kernel=\"k grid=1 block=1",
     "1:8: expected a kernel's name, found '\"' without a second one\n"},
    {"kernel=k gird=1 block=1", "1:10: expected " A_KEY ", found 'gird'\n"},
    {"kernel=k grid=1 block=1 after=1", "1:31: expected a launch of an earlier line, found none\n"},
    {"kernel=k grid=1 block=1 domain=4",
     "1:32: expected a memory synchronisation domain from 0 to 3, found '4'\n"},
    {"kernel=k grid=1 block=1 grid=2", "1:25: expected each key once, found 'grid' again\n"},
    {"kernel=k grid=0 block=1", "1:15: expected a grid size from 1 to 2147483647, found '0'\n"},
    {"kernel=k grid=1,0 block=1", "1:17: expected a grid size from 1 to 65535, found '0'\n"},
    {"kernel=k grid=2147483648 block=1",
     "1:15: expected a grid size from 1 to 2147483647, found '2147483648'\n"},
    {"kernel=k grid=1,65536 block=1",
     "1:17: expected a grid size from 1 to 65535, found '65536'\n"},
    {"kernel=k grid=1,2,3,4 block=1", "1:21: expected at most three dimensions, found '4'\n"},
    {"kernel=k grid=1, block=1", "1:18: expected a grid size from 1 to 65535, found 'block'\n"},
    {"kernel=k grid=-1 block=1", "1:15: expected a grid size from 1 to 2147483647, found '-'\n"},
    {"kernel=k grid=1.5 block=1", "1:15: expected a grid size from 1 to 2147483647, found '1.5'\n"},
    {"kernel=k grid=4x2 block=1", "1:15: expected a number, found '4x2'\n"},
    {"kernel=k grid=99999999999999999999 block=1",
     "1:15: expected an integer of at most 64 bits, found '99999999999999999999'\n"},
    {"kernel=k grid=1 block=1025", "1:23: expected a block size from 1 to 1024, found '1025'\n"},
    {"kernel=k grid=1 block=64,32", "1:23: expected at most 1024 threads in a block, found 2048\n"},
    {"kernel=k grid=1 block=1,1,65", "1:27: expected a block size from 1 to 64, found '65'\n"},
    {"kernel=k grid=3 block=1 cluster=2",
     "1:33: expected a cluster size that divides the grid's, found 2 for 3 blocks\n"},
    {"kernel=k grid=32 block=1 cluster=17",
     "1:34: expected a cluster size from 1 to 16, found '17'\n"},
    {"kernel=k grid=8,8 block=1 cluster=8,4",
     "1:35: expected at most 16 blocks in a cluster, found 32\n"},
    {"kernel=k grid=1 block=1 shared=232449",
     "1:32: expected a number of bytes from 0 to 232448, found '232449'\n"},
    {"kernel=k grid=1 block=1 shared=1K", "1:32: expected a number, found '1K'\n"},
    {"kernel=k grid=1 block=1 coop=2", "1:30: expected a number from 0 to 1, found '2'\n"},
    {"kernel=k grid=1 block=1 pdl=yes", "1:29: expected a number from 0 to 1, found 'yes'\n"},
    {"kernel=k grid=1 block=1 device=gpu",
     "1:32: expected 'host' or a device from 0 to 255, found 'gpu'\n"},
    {"kernel=k grid=1 block=1 device=256",
     "1:32: expected 'host' or a device from 0 to 255, found '256'\n"},
    {"kernel=k grid=1 block=32 device=host",
     "1:33: expected grid=1 and block=1 with device=host, which is one thread\n"},
    {"kernel=k grid=1 block=1 stream=-1", "1:32: expected a stream from 0 to 65535, found '-'\n"},
    {"kernel=k grid=1 block=1 resident=0",
     "1:34: expected a number of resident blocks from 1 to 2147483647, found '0'\n"},
    {"kernel=k grid=4 block=1 resident=2 coop=1",
     "1:34: expected room for all 4 blocks with coop=1, found resident=2\n"},
    {"kernel=k grid=4 block=1 resident=1 cluster=2",
     "1:34: expected room for a cluster of 2 blocks, found resident=1\n"},
    {"kernel=k grid=1 block=1; ", "1:24: expected " A_KEY ", found ';'\n"},
    {"kernel=k grid=1 block=1 #", "1:25: expected " A_KEY ", found '#'\n"},
};

static const Case struct_cases[] = {
    {"kernel=k grid=1 block=1 args=a:{",
     "1:33: expected a parameter's name, found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:{b:u32=1",
     "1:40: expected ',' or '}' of the struct, found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:{b:u32=1,}", "1:41: expected a parameter's name, found '}'\n"},
    {"kernel=k grid=1 block=1 args=a:{b:u32=1;}",
     "1:40: expected ',' or '}' of the struct, found ';'\n"},
    {"kernel=k grid=1 block=1 args=a:{b:u32=1,b:u32=2}",
     "1:41: expected each parameter once, found 'b' again\n"},
    {"kernel=k grid=1 block=1 args=a=A:{b:u32=1}",
     "1:34: expected a type (u8 to u64, s8 to s64, b8 to b64, f16, bf16, f32 or f64), found '{'\n"},
    {"kernel=k grid=1 block=1 args=a:u8*0=1",
     "1:35: expected a number of elements from 1 to 32764, found '0'\n"},
    {"kernel=k grid=1 block=1 args=a:u8*4", "1:36: expected '=', found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u8*40000=1",
     "1:35: expected a number of elements from 1 to 32764, found '40000'\n"},
    {"kernel=k grid=1 block=1 args=a:u8*4={1,2,3}",
     "1:37: expected a list of 4 elements, found 3\n"},
    {"kernel=k grid=1 block=1 args=a:u8*4=undef",
     "1:37: expected numbers for 'a', found undefined elements\n"},
    {"kernel=k grid=1 block=1 args=a:u32=&b",
     "1:36: expected type u64 or b64 for an address, found u32\n"},
    {"kernel=k grid=1 block=1 args=a:u64=&",
     "1:37: expected a buffer's name, found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u64=&b[",
     "1:39: expected an element from 0 to 9223372036854775807, found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u64=&b[-1]",
     "1:39: expected an element from 0 to 9223372036854775807, found '-'\n"},
    {"kernel=k grid=1 block=1 args=a:u64=&b[1", "1:40: expected ']', found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u64=&b",
     "1:36: expected a buffer of a launch or of a line 'allocate:', found 'b'\n"},
    {"kernel=k grid=1 block=1 args=a:u64=&b[5],b:u32[4]=0",
     "1:36: expected an element of 'b' up to 4, found 5\n"},
    {"kernel=k grid=1 block=1 args=a:u64[2]={&b,&c},b:u32[4]=0",
     "1:43: expected a buffer of a launch or of a line 'allocate:', found 'c'\n"},
    {"kernel=k grid=1 block=1 args=a:{b:u8*32764=0,c:u8=0}",
     "1:30: expected an argument of at most 32764 bytes, found more\n"},
    {"kernel=k grid=1 block=1 "
     "args=a:{a:{a:{a:{a:{a:{a:{a:{a:{a:{a:{a:{a:{a:{a:{a:{a:{a:u32=1}}}}}}}}}}}}}}}}}",
     "1:81: expected at most 16 structs within each other\n"},
};

static const Case argument_cases[] = {
    {"kernel=k grid=1 block=1 args=",
     "1:30: expected a parameter's name, found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a",
     "1:31: expected ':' and a type, or '=BUFFER', found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:", "1:32: expected a type (u8 to u64, s8 to s64, b8 to b64, "
                                        "f16, bf16, f32 or f64), found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:int", "1:32: expected a type (u8 to u64, s8 to s64, b8 to "
                                           "b64, f16, bf16, f32 or f64), found 'int'\n"},
    {"kernel=k grid=1 block=1 args=a:u32",
     "1:35: expected '[COUNT]' of a buffer or '=' of a scalar, found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a=A",
     "1:33: expected ':' and a type, found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a=A:u32=1",
     "1:37: expected '[COUNT]' of the buffer, found '='\n"},
    {"kernel=k grid=1 block=1 args=a=:u32[1]=1", "1:32: expected a buffer's name, found ':'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]", "1:38: expected '=', found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4=0", "1:37: expected ']', found '='\n"},
    {"kernel=k grid=1 block=1 args=a:u32[]=0",
     "1:36: expected a number of elements from 1 to 9223372036854775807, found ']'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[0]=0",
     "1:36: expected a number of elements from 1 to 9223372036854775807, found '0'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[n]=0",
     "1:36: expected a number of elements from 1 to 9223372036854775807, found 'n'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[262145]=0",
     "1:36: expected at most 1048576 bytes in all buffers, found more\n"},
    {"kernel=k grid=1 block=1 args=a:u64[9223372036854775807]=0",
     "1:36: expected at most 1048576 bytes in all buffers, found more\n"},
    {"kernel=k grid=1 block=1 args=a:u64[9223372036854775808]=0",
     "1:36: expected a number of elements from 1 to 9223372036854775807, found "
     "'9223372036854775808'\n"},
    {"kernel=k grid=1 block=1 args=a:u8[1048576]=0,b:u8[1]=0",
     "1:46: expected at most 1048576 bytes in all buffers, found more\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=zero",
     "1:39: expected initial contents (a number, iota, {list}, &BUFFER, random:SEED, undef or "
     "file:PATH), found 'zero'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=",
     "1:39: expected initial contents (a number, iota, {list}, &BUFFER, random:SEED, undef or "
     "file:PATH), found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=1.5",
     "1:39: expected an integer for type u32, found '1.5'\n"},
    {"kernel=k grid=1 block=1 args=a:u8[4]=256",
     "1:38: expected a number that fits u8, found '256'\n"},
    {"kernel=k grid=1 block=1 args=a:s8[4]=128",
     "1:38: expected a number that fits s8, found '128'\n"},
    {"kernel=k grid=1 block=1 args=a:s8[4]=-129",
     "1:38: expected a number that fits s8, found '-129'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=0x", "1:39: expected a number, found '0x'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=12ab", "1:39: expected a number, found '12ab'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=010",
     "1:39: expected a number without zeros before it, found '010'\n"},
    {"kernel=k grid=1 block=1 args=a:u64[4]=18446744073709551616",
     "1:39: expected an integer of at most 64 bits, found '18446744073709551616'\n"},
    {"kernel=k grid=1 block=1 args=a:u64[4]=-18446744073709551615",
     "1:39: expected a number that fits u64, found '-18446744073709551615'\n"},
    {"kernel=k grid=1 block=1 args=a:f16[4]=65520",
     "1:39: expected a number that fits f16, found '65520'\n"},
    {"kernel=k grid=1 block=1 args=a:f64[4]=1e999",
     "1:39: expected a number that fits f64, found '1e999'\n"},
    {"kernel=k grid=1 block=1 args=a:f32[4]=1.5.2", "1:42: expected " A_KEY ", found '.2'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[2]=inf",
     "1:39: expected an integer for type u32, found 'inf'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=-",
     "1:40: expected a number, found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]={1,2,3}",
     "1:39: expected a list of 4 elements, found 3\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]={1,2,3,4,5}",
     "1:39: expected a list of 4 elements, found more\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]={}", "1:40: expected a number, found '}'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]={1,2,",
     "1:44: expected a number, found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]={1 2}",
     "1:42: expected ',' or '}' in the list, found '2'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]={1*0}",
     "1:42: expected a number of repeats from 1 to 4294967295, found '0'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]={1*99999999999}",
     "1:42: expected a number of repeats from 1 to 4294967295, found '99999999999'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]={0..}", "1:43: expected a number, found '}'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]={0..3.5}",
     "1:43: expected a signed integer of 64 bits in a range, found '3.5'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]={0..18446744073709551615}",
     "1:43: expected a signed integer of 64 bits in a range, found '18446744073709551615'\n"},
    {"kernel=k grid=1 block=1 args=a:s64[4]={-9223372036854775808..9223372036854775807}",
     "1:39: expected a list of 4 elements, found more\n"},
    {"kernel=k grid=1 block=1 args=a:u8[4]={254..257}",
     "1:44: expected a number that fits u8, found '257'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[1]={iota}", "1:40: expected a number, found 'iota'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=random",
     "1:45: expected ':', found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=random:",
     "1:46: expected a seed from 0 to 18446744073709551615, found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=random:-1",
     "1:46: expected a seed from 0 to 18446744073709551615, found '-'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=file",
     "1:43: expected ':', found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=file:", "1:44: expected a path behind 'file:'\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=file:\"x",
     "1:44: expected a path, found '\"' without a second one\n"},
    {"kernel=k grid=1 block=1 args=a:u32[4]=file:x.bin",
     "1:44: cannot read 'x.bin': files are not read here\n"},
    {"kernel=k grid=1 block=1 args=a:u32=iota", "1:36: expected a number for the scalar 'a'\n"},
    {"kernel=k grid=1 block=1 args=a:u32=1,",
     "1:38: expected a parameter's name, found the end of the line\n"},
    {"kernel=k grid=1 block=1 args=a:u32=1,a:u32=2",
     "1:38: expected each parameter once, found 'a' again\n"},
    {"kernel=k grid=1 block=1 args=a:u32=1 b:u32=2", "1:38: expected " A_KEY ", found 'b'\n"},
    {"kernel=k grid=1 block=1 args=a=X:u32[4]=0,b=X:u64[4]=0",
     "1:43: expected the type of buffer 'X' as at its first mention, found another\n"
     "1:30: note: first mention of 'X'\n"},
    {"kernel=k grid=1 block=1 args=a=X:u32[4]=0,b=X:u32[8]=0",
     "1:43: expected the number of elements of buffer 'X' as at its first mention, found another\n"
     "1:30: note: first mention of 'X'\n"},
    {"kernel=k grid=1 block=1 args=a=X:u32[4]=0,b=X:u32[4]=1",
     "1:43: expected the contents of buffer 'X' as at its first mention, found another\n"
     "1:30: note: first mention of 'X'\n"},
    {"kernel=k grid=1 block=1 args=a=X:u32[4]={0*4},b=X:u32[4]={0,0,0,undef}",
     "1:47: expected the contents of buffer 'X' as at its first mention, found another\n"
     "1:30: note: first mention of 'X'\n"},
};

// Conditions, in the second line, over these buffers.
#define FINAL_HEAD "// launch: kernel=k grid=1 block=1 args=out:u32[4]=0,f:f32[4]=0\n// final: "

static const Case final_cases[] = {
    {"", "2:10: expected a number, an element such as out[0], a loop variable or '(', found the "
         "end of the line\n"},
    {"out", "2:14: expected '[' behind the buffer 'out', found the end of the line\n"},
    {"out[", "2:15: expected a number, an element such as out[0], a loop variable or '(', found "
             "the end of the line\n"},
    {"out[0", "2:16: expected ']', found the end of the line\n"},
    {"out[]",
     "2:15: expected a number, an element such as out[0], a loop variable or '(', found ']'\n"},
    {"out[0]==", "2:19: expected a number, an element such as out[0], a loop variable or '(', "
                 "found the end of the line\n"},
    {"out[0]=1", "2:17: expected an operator, 'for' or the end of the line, found '='\n"},
    {"out[0]==1)", "2:20: expected an operator, 'for' or the end of the line, found ')'\n"},
    {"(out[0]==1", "2:21: expected ')', found the end of the line\n"},
    {"nope[0]==1", "2:11: expected a buffer before '[', found 'nope'\n"},
    {"i==1", "2:11: expected a buffer or a variable of 'for', found 'i'\n"},
    {"out[i]==1", "2:15: expected a buffer or a variable of 'for', found 'i'\n"},
    {"out[i]==1 for", "2:24: expected a loop variable, found the end of the line\n"},
    {"out[i]==1 for i", "2:26: expected '=', found the end of the line\n"},
    {"out[i]==1 for i=", "2:27: expected a number, found the end of the line\n"},
    {"out[i]==1 for i=0", "2:28: expected '..', found the end of the line\n"},
    {"out[i]==1 for i=0..", "2:30: expected a number, found the end of the line\n"},
    {"out[i]==1 for i=0..n", "2:30: expected a number, found 'n'\n"},
    {"out[i]==1 for i=3..0", "2:25: expected a range that rises, found 3..0\n"},
    {"out[i]==1 for i=0..3,i=0..3", "2:32: expected each loop variable once, found 'i' again\n"},
    {"out[i]==1 for i=0..3,", "2:32: expected a loop variable, found the end of the line\n"},
    {"out[i]==1 for out=0..3", "2:25: expected a loop variable, found 'out', which is a buffer\n"},
    {"out[i]==1 for i=0..3 and more", "2:32: expected ',' or the end of the line, found 'and'\n"},
    {"out[i]==1 for i=0..268435456",
     "2:25: expected at most 268435456 values of all loop variables together\n"},
    {"out[i]==j for i=0..65535,j=0..65535",
     "2:36: expected at most 268435456 values of all loop variables together\n"},
    {"out[i]==1 for i=-9223372036854775808..9223372036854775807",
     "2:25: expected at most 268435456 values of all loop variables together\n"},
    {"(i+i+i+i+i+i+i+i+i+i+i+i+i)%2==0 for i=0..134217727",
     "2:11: expected final conditions of at most 2147483648 evaluated operators and operands\n"},
    {"f[0]%2==0", "2:15: expected integers as operands of '%', found a floating-point value\n"},
    {"f[0]<<1==0", "2:15: expected integers as operands of '<<', found a floating-point value\n"},
    {"~f[0]==0", "2:11: expected integers as operands of '~', found a floating-point value\n"},
    {"out[f[0]]==0",
     "2:15: expected an integer between '[' and ']', found a floating-point value\n"},
    {"out[0]==1 2", "2:21: expected an operator, 'for' or the end of the line, found '2'\n"},
    {"out[0]==1 @", "2:21: expected an operator, 'for' or the end of the line, found '@'\n"},
    {"out[0]==99999999999999999999",
     "2:19: expected an integer of at most 64 bits, found '99999999999999999999'\n"},
    {"out[0]==1abc", "2:19: expected a number, found '1abc'\n"},
    {"out[0]==1 ? 2", "2:24: expected ':', found the end of the line\n"},
    {"out[0]==for",
     "2:19: expected a number, an element such as out[0], a loop variable or '(', found 'for'\n"},
    {"!", "2:12: expected a number, an element such as out[0], a loop variable or '(', found the "
          "end of the line\n"},
    {"for i=0..3",
     "2:11: expected a number, an element such as out[0], a loop variable or '(', found 'for'\n"},
    {"out[0]==1 for a=0..0,b=0..0,c=0..0,d=0..0,e=0..0,g=0..0,h=0..0,i=0..0,j=0..0",
     "2:81: expected at most 8 loop variables\n"},
    {"out[0]==1 for i=0.5..1", "2:27: expected a signed integer of 64 bits, found '0.5'\n"},
};

// Each line is an error, with these messages.
static void assert_cases(Arena *arena, const Case *cases, size_t count) {
  size_t failure_count = 0;
  for (size_t i = 0; i < count; i++)
    failure_count += !says(arena, LAUNCH_INPUT_LAUNCH, cases[i].text, cases[i].messages);
  assert_int_equal(failure_count, 0);
}

static void test_launches(void **state) {
  assert_cases(*state, launch_cases, sizeof launch_cases / sizeof launch_cases[0]);
}

static void test_arguments(void **state) {
  assert_cases(*state, argument_cases, sizeof argument_cases / sizeof argument_cases[0]);
}

static void test_structs(void **state) {
  assert_cases(*state, struct_cases, sizeof struct_cases / sizeof struct_cases[0]);
}

static void test_finals(void **state) {
  size_t failure_count = 0;
  for (size_t i = 0; i < sizeof final_cases / sizeof final_cases[0]; i++) {
    const char *text = arena_format(*state, FINAL_HEAD "%s", final_cases[i].text);
    failure_count += !says(*state, LAUNCH_INPUT_COMMENTS, text, final_cases[i].messages);
  }
  assert_int_equal(failure_count, 0);
}

static void test_other_lines(void **state) {
  static const Case cases[] = {
      {"relation: parallel",
       "1:11: expected a relation (concurrent, sequential or pdl), found 'parallel'\n"},
      {"relation:",
       "1:10: expected a relation (concurrent, sequential or pdl), found the end of the line\n"},
      {"relation: pdl pdl", "1:15: expected the end of the line, found 'pdl'\n"},
      {"relation: pdl\nrelation: concurrent",
       "2:11: expected 'relation:' to say the same as before\n1:11: note: first 'relation:'\n"},
      {"expect: ", "1:8: expected a rule or 'clean', found the end of the line\n"},
      {"expect: Clean", "1:9: expected a rule or 'clean', found 'Clean'\n"},
      {"expect: data-race, deadlock", "1:18: expected the end of the line, found ','\n"},
      {"expect: data-race\n// expect: clean",
       "2:12: expected 'expect:' to say the same as before\n1:9: note: first 'expect:'\n"},
      {"launch: a\nfinal: b\nlaunch: c",
       "1:9: expected " A_KEY ", found 'a'\n3:9: expected " A_KEY ", found 'c'\n"},
  };
  size_t failure_count = 0;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    failure_count += !says(*state, LAUNCH_INPUT_LINES, cases[i].text, cases[i].messages);
  assert_int_equal(failure_count, 0);
}

#define TWO_LAUNCHES                                                                               \
  "launch: kernel=k device=host grid=1 block=1 args=x:u32[1]=0\n"                                  \
  "launch: kernel=k grid=1 block=1 args=y:u32[1]=0\n"

static void test_buffers(void **state) {
  static const Case cases[] = {
      {"buffers:", "3:9: expected a buffer's name, found the end of the line\n"},
      {"buffers: 1=pinned", "3:10: expected a buffer's name, found '1'\n"},
      {"buffers: z=pinned", "3:10: expected a buffer of a launch, found 'z'\n"},
      {"buffers: x pinned", "3:12: expected '=', found 'pinned'\n"},
      {"buffers: x=",
       "3:12: expected 'device:N', 'pinned', 'managed' or 'system', found the end of "
       "the line\n"},
      {"buffers: x=mapped",
       "3:12: expected 'device:N', 'pinned', 'managed' or 'system', found 'mapped'\n"},
      {"buffers: y=device", "3:18: expected ':', found the end of the line\n"},
      {"buffers: y=device:256", "3:19: expected a device from 0 to 255, found '256'\n"},
      {"buffers: y=pinned y=managed", "3:19: expected each buffer once, found 'y' again\n"},
      {"buffers: x=pinned, y=pinned", "3:18: expected a buffer's name, found ','\n"},
      {"buffers: x=device:0", "3:10: expected memory that the host reaches (pinned, managed or "
                              "system), since a launch on the host names 'x'\n"},
      {"launch: kernel=k grid=1 block=1 after=3",
       "3:39: expected an earlier launch from 1 to 2, found '3'\n"},
      {"launch: kernel=k grid=1 block=1 after=1,0",
       "3:41: expected an earlier launch from 1 to 2, found '0'\n"},
      {"machine:", "3:9: expected a path behind 'machine:'\n"},
      {"machine: a b", "3:12: expected the end of the line, found 'b'\n"},
      {"machine: a", "3:10: cannot read 'a': files are not read here\n"},
  };
  Arena *arena = *state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    assert_true(says(arena, LAUNCH_INPUT_LINES,
                     arena_format(arena, "%s%s", TWO_LAUNCHES, cases[i].text), cases[i].messages));
}

// Lines that only inputs with expectations have.
static void test_verdicts(void **state) {
  static const Case cases[] = {
      {"accept:", "2:8: expected a rule, found the end of the line\n"},
      {"accept: a,", "2:11: expected a rule, found the end of the line\n"},
      {"accept: a b", "2:11: expected the end of the line, found 'b'\n"},
      {"where: 0", "2:8: expected a line from 1 to 4294967295, found '0'\n"},
      {"where: 1,x", "2:10: expected a line from 1 to 4294967295, found 'x'\n"},
      {"level: c", "2:8: expected a level (ptx or cuda), found 'c'\n"},
      {"level: cuda ptx", "2:13: expected the end of the line, found 'ptx'\n"},
  };
  Arena *arena = *state;
  LaunchOptions options = {.reads_verdicts = true};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *text = arena_format(arena, "launch: kernel=k grid=1 block=1\n%s", cases[i].text);
    LaunchInput input = {LAUNCH_INPUT_LINES, ptx_source(arena, text, strlen(text))};
    DiagList diags;
    diag_list_init(&diags, arena);
    assert_null(launch_parse(&input, 1, &options, arena, &diags));
    assert_string_equal(ptx_diag_text(arena, &diags), cases[i].messages);
    launch_read_kind(arena, LAUNCH_INPUT_LINES, text, &diags); // prose for others
    assert_int_equal(diags.count, 0);
  }
}

// Devices that a machine does not have.
static void test_machines(void **state) {
  Arena *arena = *state;
  Machine machine = {.name = "small", .device_count = 1};
  LaunchOptions options = {.machine = &machine};
  const char *text = "launch: kernel=k device=1 grid=1 block=1 args=x:u32[1]=0,y:u32[1]=0\n"
                     "buffers: x=device:3";
  LaunchInput input = {LAUNCH_INPUT_LINES, ptx_source(arena, text, strlen(text))};
  DiagList diags;
  diag_list_init(&diags, arena);
  assert_null(launch_parse(&input, 1, &options, arena, &diags));
  assert_string_equal(ptx_diag_text(arena, &diags),
                      "1:9: expected a device below 1, as 'small' says, found device=1\n"
                      "2:10: expected a device below 1, as 'small' says, found 3\n");
}

static const char *repeated(Arena *arena, const char *begin, const char *piece, size_t count,
                            const char *end) {
  size_t length = strlen(piece);
  char *middle = arena_alloc(arena, count * length + 1, 1);
  for (size_t i = 0; i < count; i++)
    memcpy(middle + i * length, piece, length);
  return arena_format(arena, "%s%s%s", begin, middle, end);
}

static void test_limits(void **state) {
  Arena *arena = *state;
  const char *head = "kernel=k grid=1 block=1 args=";
  const char *nested = repeated(arena, FINAL_HEAD, "(", 100000, "1");
  assert_true(says(arena, LAUNCH_INPUT_COMMENTS, nested,
                   "2:211: expected at most 200 levels of parentheses and operators\n"));
  nested = repeated(arena, FINAL_HEAD, "!", 100000, "1");
  assert_true(says(arena, LAUNCH_INPUT_COMMENTS, nested,
                   "2:211: expected at most 200 levels of parentheses and operators\n"));
  nested = repeated(arena, FINAL_HEAD "1", "+1", 100000, "");
  assert_true(says(arena, LAUNCH_INPUT_COMMENTS, nested,
                   "2:11: expected at most 4096 operators and operands, 1000 one within the "
                   "other\n"));
  const char *wrong = repeated(arena, "", "launch: x\n", 100, "");
  DiagList diags;
  launch_read_kind(arena, LAUNCH_INPUT_LINES, wrong, &diags);
  assert_int_equal(diags.count, LAUNCH_MAX_ERRORS);
  const char *many = repeated(arena, "", "launch: kernel=k grid=1 block=1\n", 1025, "");
  assert_true(says(arena, LAUNCH_INPUT_LINES, many, "1025:9: expected at most 1024 launches\n"));
  const char *list = repeated(arena, head, "a:u32=1,", 1, "a:u32=1");
  assert_true(says(arena, LAUNCH_INPUT_LAUNCH, list,
                   "1:38: expected each parameter once, found 'a' again\n"));
}

static void test_bytes(void **state) {
  assert_true(says(*state, LAUNCH_INPUT_LAUNCH, "kernel=k grid=1 block=1 \xc3\xa9",
                   "1:25: expected " A_KEY ", found the byte 0xc3\n"));
  const char *name = "a_name_that_is_longer_than_what_a_message_shows_of_it=1";
  assert_true(says(*state, LAUNCH_INPUT_LAUNCH, name,
                   "1:1: expected " A_KEY
                   ", found 'a_name_that_is_longer_than_what_a_messag...'\n"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      UNIT_TEST(test_launches), UNIT_TEST(test_arguments),   UNIT_TEST(test_structs),
      UNIT_TEST(test_finals),   UNIT_TEST(test_other_lines), UNIT_TEST(test_buffers),
      UNIT_TEST(test_verdicts), UNIT_TEST(test_machines),    UNIT_TEST(test_limits),
      UNIT_TEST(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
