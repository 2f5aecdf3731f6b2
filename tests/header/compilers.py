# SPDX-License-Identifier: Apache-2.0
"""The compilers that a header must please, and what kernels for them look like."""

import os
import shutil
import subprocess

from schedules import identifier

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
AMD = ["clang-22", "--target=amdgcn-amd-amdhsa"]
HIP = ["clang-22", "-x", "hip", "--offload-arch=gfx950", "-nogpuinc", "-nogpulib", "-std=c++17", "-O2",
       *WARNINGS]
# Name, machine, command; those in MORE only in a campaign. nvcc's own line directives are not pedantic.
COMPILERS = [
    ("gcc C11 -O0", "cpu", ["gcc", "-std=c11", "-O0", *WARNINGS]),
    ("gcc C11 -O2", "cpu", ["gcc", "-std=c11", "-O2", *WARNINGS]),
    ("g++ C++17", "cpu", ["g++", "-std=c++17", "-x", "c++", "-O2", *WARNINGS]),
    ("clang C11", "cpu", ["clang", "-std=c11", "-O2", *WARNINGS]),
    ("clang-22 gfx942 C11", "amdgcn", [*AMD, "-mcpu=gfx942", "-std=c11", "-O2", *WARNINGS]),
    ("clang-22 gfx950 C11", "amdgcn", [*AMD, "-mcpu=gfx950", "-std=c11", "-O2", *WARNINGS]),
    ("clang-22 gfx950 C++17", "amdgcn",
     [*AMD, "-mcpu=gfx950", "-x", "c++", "-std=c++17", "-O2", *WARNINGS]),
    ("clang-22 gfx950 HIP", "hip", [*HIP, "--cuda-device-only", "-emit-llvm"]),
    ("clang-22 HIP for the host", "hip", [*HIP, "--cuda-host-only"]),
    ("nvcc sm_80", "cuda", ["nvcc", "-x", "cu", "-std=c++17", "-arch=sm_80", "-Werror", "all-warnings",
                            "-Xcompiler", "-Wall,-Wextra"]),
]
MORE = ("gcc C11 -O0", "clang-22 gfx942 C11", "clang-22 gfx950 C++17")
if not os.environ.get("SWP_FULL"):
    COMPILERS = [row for row in COMPILERS if row[0] not in MORE]

KERNELS = {
    "cpu": "#define SWP_WAIT_VM(n) op(n, 0, 0)\n#define SWP_WAIT_LGKM(n) op(n, 1, 0)\n"
           "#define SWP_BARRIER() op(0, 2, 0)\n#define KERNEL\n"
           "void op(int stage, int subtile, int tile);\n",
    "amdgcn": "#ifdef __cplusplus\n#define KERNEL extern \"C\" __attribute__((amdgpu_kernel))\n#else\n"
              "#define KERNEL __attribute__((amdgpu_kernel))\n#endif\n"
              "void op(int stage, int subtile, int tile);\n",
    "hip": "#define KERNEL extern \"C\" __attribute__((device))\n__attribute__((device)) int seen;\n"
           "static __attribute__((device)) void op(int stage, int subtile, int tile)\n"
           "{\n    seen += stage + subtile + tile;\n}\n",
    "cuda": "#define KERNEL extern \"C\" __global__\n__device__ int seen;\n"
            "static __device__ void op(int stage, int subtile, int tile)\n"
            "{\n    seen += stage + subtile + tile;\n}\n",
}


def present(command):
    return shutil.which(command[0]) is not None


def absent():
    """What is not here, by name."""
    return sorted({command[0] for _, _, command in COMPILERS if not present(command)})


def kernel(machine, names, calls):
    """A source that includes these headers and makes these calls."""
    text = [KERNELS[machine]]
    for name, ops in names:
        text.append(f'#include "{name}.h"\n')
        text += [f"#define {name.upper()}_{identifier(op)}(ctx, stage, subtile, tile) "
                 "op(stage, subtile, tile)\n" for op in ops]
    for i, call in enumerate(calls):
        text.append(f"KERNEL void run{i}(int n, int group);\n"
                    f"KERNEL void run{i}(int n, int group)\n{{\n    (void)n;\n    (void)group;\n"
                    f"    {call};\n}}\n")
    return "".join(text)


def loop_kernel(machine, name, schedule):
    """A source that includes the header of a loop, and makes a run of it; what the kernel decides depends on the iteration."""
    x = name.upper()
    text = [KERNELS[machine], f'#include "{name}.h"\n']
    for op in schedule["dataflow"]["ops"]:
        text.append(f"#define {x}_{identifier(op['op'])}(ctx, i, ...) op(i, 0, 0)\n")
        if op.get("when") == "user":
            text.append(f"#define {x}_WHEN_{identifier(op['op'])}(ctx, i) ((i) % 3 == *(ctx))\n")
    text.append("KERNEL void run(int n, int group);\n"
                f"KERNEL void run(int n, int group)\n{{\n    {x}_RUN(&group, n, group);\n}}\n")
    return "".join(text)


def compile_with(command, folder, source, *more):
    """Compiles kernel.c of the folder; returns the process."""
    path = os.path.join(folder, "kernel.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(source)
    words = [*command, *(more or ("-c", "-o", os.devnull)), "-I", folder, path]
    return subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
