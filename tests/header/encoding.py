# SPDX-License-Identifier: Apache-2.0
"""The s_waitcnt of the header, of every value, against the assembler's."""

import os
import struct
import subprocess

from compilers import AMD

VM, LGKM = range(64), range(16)
S_WAITCNT = 0xBF8C0000


def text_section(path):
    """The bytes of .text of a 64-bit ELF file."""
    with open(path, "rb") as file:
        data = file.read()
    sections, size, count, names = (struct.unpack_from("<Q", data, 0x28)[0],
                                    *struct.unpack_from("<HHH", data, 0x3A))
    header = [struct.unpack_from("<IIQQQQ", data, sections + i * size) for i in range(count)]
    strings = header[names][4]
    for name, _, _, _, offset, length in header:
        if data[strings + name:].split(b"\0", 1)[0] == b".text":
            return data[offset:offset + length]
    raise SystemExit(f"header: {path} has no .text")


def waits_in(path):
    words = struct.iter_unpack("<I", text_section(path))
    return [word & 0xFFFF for word, in words if word & 0xFFFF0000 == S_WAITCNT]


def assembled(folder, cpu):
    """What the assembler makes of every wait."""
    source, result = os.path.join(folder, "waits.s"), os.path.join(folder, "waits.o")
    with open(source, "w", encoding="utf-8") as file:
        file.writelines(f"s_waitcnt vmcnt({n})\n" for n in VM)
        file.writelines(f"s_waitcnt lgkmcnt({n})\n" for n in LGKM)
    subprocess.run([*AMD, f"-mcpu={cpu}", "-c", source, "-o", result], check=True)
    return waits_in(result)


def literal(folder, macros):
    """What the preprocessor makes of the header's macros: the builtins' arguments, computed."""
    source = os.path.join(folder, "waits.c")
    values = [f"SWP_WAIT_VM({n})" for n in VM] + [f"SWP_WAIT_LGKM({n})" for n in LGKM]
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <stdio.h>\n#define __AMDGCN__\n#define __GFX9__\n"
                   "#define __builtin_amdgcn_s_waitcnt(mask) printf(\"%d\\n\", mask)\n"
                   f'#include "{macros}"\nint main(void)\n{{\n')
        file.writelines(f"    {value};\n" for value in values)
        file.write("    return 0;\n}\n")
    program = os.path.join(folder, "waits")
    subprocess.run(["gcc", "-std=c11", "-w", "-I", folder, source, "-o", program], check=True)
    return [int(line) for line in subprocess.run([program], capture_output=True, text=True,
                                                 check=True).stdout.split()]


def compiled(folder, macros, cpu):
    """The waits in the machine code of a kernel of them, in order, after the one that it begins with."""
    source, result = os.path.join(folder, "machine.c"), os.path.join(folder, "machine.o")
    with open(source, "w", encoding="utf-8") as file:
        file.write(f'#include "{macros}"\n__attribute__((amdgpu_kernel)) void waits(void);\n'
                   "__attribute__((amdgpu_kernel)) void waits(void)\n{\n")
        file.writelines(f"    SWP_WAIT_VM({n});\n    SWP_SET_PRIO(0);\n" for n in VM)
        file.writelines(f"    SWP_WAIT_LGKM({n});\n    SWP_SET_PRIO(0);\n" for n in LGKM)
        file.write("}\n")
    subprocess.run([*AMD, f"-mcpu={cpu}", "-std=c11", "-O2", "-I", folder, "-c", source, "-o", result],
                   check=True)
    return waits_in(result)
