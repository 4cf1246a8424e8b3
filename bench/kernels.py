"""Kernels (kernels/NAME.cu, and what nvcc made of them) with launches of growing size."""
import pathlib

FOLDER = pathlib.Path(__file__).parent / "kernels"

# File, size, launch, number of executions where it is known.
LAUNCHES = [
    ("message-passing", "2x32", "kernel=mp grid=2 block=32 args=data:u32[32]=0,flag:u32[1]=0,out:u32[32]=0", 1),
    ("block-reduction", "64", "kernel=reduce grid=1 block=64 args=in:u32[64]=iota,out:u32[1]=0", 1),
    ("disjoint", "2x256", "kernel=plain grid=2 block=256 args=in:u32[512]=iota,out:u32[512]=0", 1),
    ("look-back", "3x32", "kernel=scan grid=3 block=32 args=in:u32[96]=1,out:u32[96]=0,status:u32[3]=0,"
     "aggregate:u32[3]=0,prefix:u32[3]=0,next:u32[1]=0", None),
    *[("ticket-lock", str(n), f"kernel=ticket grid={n} block=1 args=next:u32[1]=0,serving:u32[1]=0,data:u32[1]=0",
       None) for n in (3, 4, 5, 6, 8, 16, 32)],
    *[("spin-lock", str(n), f"kernel=lock grid={n} block=1 args=mutex:u32[1]=0,data:u32[1]=0", None)
      for n in (3, 4, 5, 6, 8, 16, 32)],
    *[("grid-barrier", f"3x32, {n} times", f"kernel=barrier grid=3 block=32 args=count:u32[1]=0,data:u32[96]=0,"
       f"out:u32[96]=0,rounds:u32={n}", 1) for n in (1, 2, 4)],
    ("cooperative-groups", "3x32", "kernel=coop grid=3 block=32 coop=1 args=data:u32[96]=0,out:u32[96]=0", 1),
    *[("last-block", f"{n}x32", f"kernel=k grid={n} block=32 args=in:u32[{32 * n}]=1,part:u32[{n}]=0,out:u32[1]=0,"
       "count:u32[1]=0", expected) for n, expected in ((4, 4), (8, 1), (16, 1))],
    ("latch", "3", "kernel=k grid=3 block=1 args=l:u64[1]={3},d:u32[3]=0,o:u32[3]=0", None),
    ("told-by-leader", "2x256", "kernel=told grid=2 block=256 args=flag:u32[1]=0,data:u32[256]=0,out:u32[256]=0", 2),
    *[("compare-and-swap", str(n), f"kernel=count grid={n} block=1 args=sum:u32[1]=0", expected)
      for n, expected in ((3, 6), (4, 1), (6, 1), (8, 1))],
    *[("work-queue", f"{items} items for {n}", f"kernel=items grid={n} block=1 args=next:u32[1]=0,count:u32={items},"
       f"out:u32[{items}]=0", None) for n, items in ((4, 6), (8, 8))],
    *[("work-queue", f"{tiles} tiles for {n}x32", f"kernel=tiles grid={n} block=32 args=next:u32[1]=0,count:u32={tiles},"
       f"out:u32[{32 * tiles}]=0", None) for n, tiles in ((2, 8), (4, 8))],
    ("semaphore", "3", "kernel=k grid=3 block=1 args=s:u64[2]=0,d:u32[1]=0", None),
]
GOAL_SECONDS = 10
