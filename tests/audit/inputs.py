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
    (b"CCOB\2\0\1\0", "a compressed bundle of code objects", "--cuda-device-only"),
    (b"\x50\xed\x55\xba\1\0\x10\0", "a fat binary", "cuobjdump -sass"),
    (b"!<arch>\nkernel.o/  \177ELF\2\1\1\x40", "an archive of object files", "nvcc -ptx"),
    (b"\x1f\x8b\x08\0", "a compressed file", "gunzip"),
    ("ds_read_b32 v1, v0".encode("utf-16"), "text in UTF-16", "UTF-8"),
    (b"__global__ void k(float *x) {}", "a source in CUDA or HIP", "-ptx"),
    (b"@triton.jit\ndef k(x): pass", "a source in Triton", 'asm["ptx"]'),
    (b"tt.func public @k() {}", "Triton's IR", 'asm["amdgcn"]'),
    (b"k.o:\tfile format elf64-amdgpu\n0000000000001900 <k>:\n\ts_endpgm // 000000001908: BF810000", "a disassembly", "clang -S"),
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


def check_two_languages():
    """The place is that of the second one, and neither is judged."""
    ready, ptx = read(path_of("ready.s")), ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k() { ret; }\n"
    for what, text, line, words in (
            ("AMD, then PTX", ready + ptx, ready.count("\n") + 3, "assembly for AMD, and here PTX"),
            ("PTX, then AMD", ptx + ready, ptx.count("\n") + 1 + ready[:ready.index(".amdgcn_target")].count("\n"), "PTX, and here assembly for AMD"),
            ("PTX with its SASS", ptx + read(path_of("two_stage.sass")), 0, "PTX, and here machine code for NVIDIA")):
        status, said = audit(text)
        check(status == 2 and f"E0812]: this file is {words}" in said and (not line or f"<stdin>:{line}:" in said),
              f"{what}: {said}")


def check_macros():
    for waits, answer in (("\ts_waitcnt lgkmcnt(0)\n", "no_fault"), ("", "fault")):
        text = HEAD + "\tREAD v1\n" + waits + TAIL
        report = expect("unknown", text, "macros")
        found = {note["at"]["text"]: note["why"] for note in report.get("unknown_instructions", [])}
        check("llvm-mc" in found.get("READ v1", "") and "llvm-mc" in found.get(".macro READ to", ""), f"macros: {found}")
        if not LLVM_MC:
            continue
        # What the report says to do.
        with tempfile.NamedTemporaryFile("w", suffix=".s", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            made = subprocess.run([LLVM_MC, "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx942", file.name], capture_output=True,
                                  text=True, check=False)
        expect(answer, made.stdout, f"macros, as llvm-mc writes them: {made.stderr}")


def check_repetition():
    """What seems to be wrong is not sure where a directive may make other code."""
    plain = HEAD[:HEAD.index("\t.macro")] + HEAD[HEAD.index("\t.text"):] + "\tds_read_b32 v1, v0\n" + TAIL
    expect("fault", plain, "no directive that is not followed")
    report = expect("unknown", replace(plain, "\tds_read", "\t.rept 0\n\ts_nop 0\n\t.endr\n\tds_read"), "a repetition")
    found = report.get("findings", [])
    check(found and not any(finding["certain"] for finding in found), f"a repetition: {found}")


def check_expressions():
    """Registers and counts of symbols, as kernels by hand have them."""
    text = HEAD + "\t.set first, 4\n\tds_read_b32 v[first+1], v0\n\ts_waitcnt lgkmcnt(first-4)\n" + TAIL
    report = expect("unknown", text, "expressions")
    found = {note["at"]["text"]: note["why"] for note in report.get("unknown_instructions", [])}
    for line in ("ds_read_b32 v[first+1], v0", "s_waitcnt lgkmcnt(first-4)"):
        check("llvm-mc" in found.get(line, ""), f"expressions: {line}: {found}")


def check_too_large():
    """The error of one of two functions is there, with its place."""
    blocks = "".join(f"\ts_cbranch_scc1 .Lb{i}\n.Lb{i}:\n" for i in range(5000))
    text = HEAD + "\ts_endpgm\n\t.type large,@function\nlarge:\n" + blocks + TAIL
    status, said = audit(text)
    check(status == 2 and f"<stdin>:{HEAD.count(chr(10)) + 3}:" in said and "E0815]: large has 5001 basic blocks" in said, f"too large: {said[:300]}")


def check_no_code():
    """Directives alone, and what would make code."""
    for what, body in (("no kernel", ""), ("an include", '\t.include "kernel.s"\n')):
        status, said = audit('\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\n\t.text\n' + body)
        check(status == 2 and "<stdin>: error[E0814]: no instruction stands in this file" in said and "llvm-mc" in said,
              f"{what}: {said}")


def check_inputs():
    check_foreign()
    check_no_code()
    check_two_targets()
    check_two_languages()
    check_macros()
    check_repetition()
    check_expressions()
    check_too_large()
