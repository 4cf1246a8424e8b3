#!/usr/bin/env python3
"""The installed library can be used: by pkg-config, by CMake's find_package with ctest, and from C and C++.

usage: installed.py SOURCE BUILD VERSION
What needs a tool that is absent is skipped and said.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE, BUILD, VERSION = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
EXAMPLE = SOURCE / "examples/c/m01-message-passing-right.c"
WRONG = SOURCE / "examples/c/m01-message-passing-wrong.c"

CMAKE = """cmake_minimum_required(VERSION 3.18)
project(user C CXX)
find_package(warpsan {version} REQUIRED)
enable_testing()
foreach(name right wrong)
  add_executable(${{name}} "{folder}/m01-message-passing-${{name}}.c")
  set_target_properties(${{name}} PROPERTIES C_STANDARD 17)
  target_compile_definitions(${{name}} PRIVATE WARPSAN_CHECK)
  target_link_libraries(${{name}} PRIVATE warpsan::warpsan)
  add_test(NAME ${{name}} COMMAND ${{name}})
endforeach()
set_tests_properties(wrong PROPERTIES WILL_FAIL TRUE)
add_executable(cpp "{cpp}")
target_link_libraries(cpp PRIVATE warpsan::warpsan)
add_test(NAME cpp COMMAND cpp)
"""


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        print(*command)
        print(done.stdout[-4000:] + done.stderr[-4000:])
        sys.exit(f"{command[0]} ends with status {done.returncode}")
    return done.stdout


def install(folder):
    environment = dict(os.environ, DESTDIR=str(folder))
    run(["meson", "install", "-C", BUILD, "--no-rebuild", "--quiet"], env=environment)
    prefixes = [path.parent.parent for path in folder.rglob("warpsan/warpsan.h")]
    return prefixes[0].parent if prefixes[0].name == "include" else prefixes[0]


def check_names(prefix):
    major = VERSION.split(".")[0]
    library = next(prefix.rglob(f"libwarpsan.so.{VERSION}"))
    if shutil.which("readelf"):
        dynamic = run(["readelf", "--dynamic", "--wide", str(library)])
        assert f"[libwarpsan.so.{major}]" in dynamic, "the library's soname has its major version"
        symbols = run(["readelf", "--dyn-syms", "--wide", str(library)])
        assert f"warpsan_check_function@@WARPSAN_{major}" in symbols, "names have a version"
    assert next(prefix.rglob("man3/warpsan.3")).read_text().startswith(".TH"), "there is a manual page"
    for name in ("scoped.h", "scoped_device.inc", "warpsan.h"):
        assert (prefix / "include/warpsan" / name).is_file(), f"{name} is installed"
    return library.parent


def check_pkg_config(prefix, libraries, folder):
    if not shutil.which("pkg-config"):
        print("skipped: pkg-config is absent")
        return
    environment = dict(os.environ, PKG_CONFIG_PATH=str(next(prefix.rglob("warpsan.pc")).parent),
                       LD_LIBRARY_PATH=str(libraries))
    query = ["pkg-config", f"--define-variable=prefix={prefix}", "--cflags", "--libs", f"warpsan >= {VERSION}"]
    flags = run(query, env=environment).split()
    for source, status in ((EXAMPLE, 0), (WRONG, 1)):
        program = str(folder / source.stem)
        run(["cc", "-std=c17", "-DWARPSAN_CHECK", str(source), *flags, "-o", program], env=environment)
        done = subprocess.run([program], env=environment, capture_output=True, text=True)
        assert done.returncode == status, f"{source.name}: status {done.returncode}\n{done.stdout}{done.stderr}"


def check_cmake(prefix, libraries, folder):
    if not shutil.which("cmake") or not shutil.which("c++"):
        print("skipped: cmake or the C++ compiler is absent")
        return
    project, build = folder / "project", folder / "build"
    project.mkdir()
    text = CMAKE.format(version=VERSION, folder=SOURCE / "examples/c", cpp=SOURCE / "tests/api/use_from_cpp.cpp")
    (project / "CMakeLists.txt").write_text(text)
    environment = dict(os.environ, LD_LIBRARY_PATH=str(libraries))
    run(["cmake", "-S", str(project), "-B", str(build), f"-DCMAKE_PREFIX_PATH={prefix}"], env=environment)
    run(["cmake", "--build", str(build)], env=environment)
    run(["ctest", "--test-dir", str(build), "--output-on-failure"], env=environment)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prefix = install(folder / "root")
        libraries = check_names(prefix)
        check_pkg_config(prefix, libraries, folder)
        check_cmake(prefix, libraries, folder)
    print("installed, found and used")


if __name__ == "__main__":
    main()
