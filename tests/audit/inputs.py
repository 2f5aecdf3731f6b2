# SPDX-License-Identifier: Apache-2.0
"""What is no assembly for one GPU, whole and without macros: `swp audit` says what it is, and what to do."""

import subprocess
import tempfile

from checks import LLVM_MC, SWP, audit, check, expect, path_of, read, replace

FOREIGN = (
    (b"\177ELF\2\1\1\x40", "a code object for AMD", "assembly"),
    (b"\177ELF\2\1\1\x33", "a cubin", "cuobjdump -sass"),
    (b"\177ELF\2\1\1\x41", "a cubin", "cuobjdump -sass"),
    (b"\177ELF\2\1\1\0", "an object file", "clang -S"),
    (b"\177ELF", "an object file", "clang -S"),
    (b"__CLANG_OFFLOAD_BUNDLE__\2\0\0\0", "a bundle of code objects", "--cuda-device-only"),
    (b"BC\xc0\xde\x35\x14", "LLVM bitcode", "llc"),
    (b"\0\1\2", "a binary file", "clang -S"),
)

HEAD = """\
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.macro READ to
\tds_read_b32 \\to, v0
\t.endm
\t.text
\t.type k,@function
k:
"""
TAIL = """\
\tv_mov_b32 v2, v1
\ts_endpgm
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .max_flat_workgroup_size: 64
    .name: k
...
\t.end_amdgpu_metadata
"""


def check_foreign():
    for data, what, todo in FOREIGN:
        result = subprocess.run([SWP, "audit", "-"], input=data, capture_output=True, check=False)
        said = result.stderr.decode()
        check(result.returncode == 2 and not result.stdout and f"E0811]: this is {what}, not assembly" in said
              and todo in said, f"{data}: {said}")


def check_two_targets():
    ready = read(path_of("ready.s"))
    other = ready.replace("gfx942", "gfx950").replace("k:", "k2:").replace(".Lloop", ".Lloop2")
    for what, text, line in (("two files", ready + other, ready.count("\n") + 3),
                             ("metadata", replace(ready, "amdhsa.version:", "amdhsa.target: 'amdgcn-amd-amdhsa--gfx950:xnack-'\n"
                                                  "amdhsa.version:"), 0)):
        status, said = audit(text)
        check(status == 2 and "E0812]: this file is for gfx942, and here for gfx950" in said and (
            not line or f"<stdin>:{line}:" in said), f"{what}: {said}")
    same = replace(ready, "amdhsa.version:", "amdhsa.target: amdgcn-amd-amdhsa--gfx942:sramecc+\namdhsa.version:")
    expect("no_fault", same, "metadata of the same target")
    # Without the directive the metadata are enough.
    expect("no_fault", "\n".join(line for line in same.splitlines() if "amdgcn_target" not in line) + "\n",
           "the target in the metadata alone")


def check_macros():
    for waits, answer in (("\ts_waitcnt lgkmcnt(0)\n", "no_fault"), ("", "fault")):
        text = HEAD + "\tREAD v1\n" + waits + TAIL
        report = expect("unknown", text, "macros")
        found = {note["at"]["text"]: note["why"] for note in report.get("unknown_instructions", [])}
        check("READ v1" in found and "llvm-mc" in found.get(".macro READ to", ""), f"macros: {found}")
        if not LLVM_MC:
            continue
        # What the report says to do.
        with tempfile.NamedTemporaryFile("w", suffix=".s", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            made = subprocess.run([LLVM_MC, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx942", file.name], capture_output=True,
                                  text=True, check=False)
        expect(answer, made.stdout, f"macros, as llvm-mc writes them: {made.stderr}")


def check_inputs():
    check_foreign()
    check_two_targets()
    check_macros()
