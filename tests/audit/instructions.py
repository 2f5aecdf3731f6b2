# SPDX-License-Identifier: Apache-2.0
"""Each row of the table of instructions, and what no answer may pass over."""

import os
import re
import subprocess

from checks import HERE, LLVM_MC, audit, check, expect, line_of, path_of, read


def check_instructions():
    """Each row of instructions.s is an instruction of gfx950, and one that the audit knows."""
    text = read(path_of("instructions.s"))
    table = read(os.path.join(HERE, "..", "..", "src", "audit", "amd", "table.h"))
    names = re.findall(r"^\t([a-z]\w+)", text, re.MULTILINE)
    for row in re.findall(r'X\("(\w+)"', table):
        check(any(f"{name}_".startswith(f"{row}_") for name in names),
              f"instructions.s has no {row}")
    for target in ("gfx942", "gfx950"):
        check_target(text.replace("gfx950", target), target)
    if LLVM_MC:
        result = assemble(read(path_of("two_stage.s")), "gfx950")
        check(result.returncode == 0, f"two_stage.s: {result.stderr}")


def assemble(text, target):
    return subprocess.run([LLVM_MC, "--triple=amdgcn-amd-amdhsa", f"-mcpu={target}", "-o", os.devnull,
                           "-"], input=text, capture_output=True, text=True, check=False)


def check_target(text, target):
    """What the target lacks is unknown, and nothing else: the assembler refuses the same lines."""
    _, report = audit(text)
    unknown = {note["at"]["line"] for note in report["unknown_instructions"]}
    if target == "gfx950":
        known = [line for line in unknown if "_xf32 " not in line_of(text, line)]
        check(unknown and not known, f"instructions.s: unknown: {report['unknown_instructions']}")
    if LLVM_MC is None:
        return
    errors = re.findall(r"^<stdin>:(\d+):\d+: error", assemble(text, target).stderr, re.MULTILINE)
    check({int(line) for line in errors} == unknown,
          f"instructions.s for {target}: the assembler refuses {errors}, the audit {unknown}")


SNIPPET = """\
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
\t.text
\t.type k,@function
k:
\ts_mov_b32 s20, 4
.Lloop:
{body}
\ts_waitcnt vmcnt(0) lgkmcnt(0)
\ts_add_i32 s20, s20, -1
\ts_cmp_lg_u32 s20, 0
\ts_cbranch_scc1 .Lloop
\ts_endpgm
\t.section .rodata,"a",@progbits
\t.long 5
\t.p2align 6, 0x0
\t.text
\t.p2alignl 6, 3212836864
\t.fill 256, 4, 3212836864
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .max_flat_workgroup_size: 64
    .name:           k
...
\t.end_amdgpu_metadata
"""

READ, USE, WAIT = "ds_read_b32 v1, v0", "v_mov_b32_e32 v2, v1", "s_waitcnt lgkmcnt(0)"

# What | lines | answer
SNIPPETS = (
    ("a read, waited for", (READ, WAIT, USE), "no_fault"),
    ("its wait left out", (READ, ".if 0", WAIT, ".endif", USE), "unknown"),
    ("its wait defined only", (READ, ".macro W", WAIT, ".endm", USE), "unknown"),
    ("its use repeated", (".rept 2", USE, READ, ".endr"), "unknown"),
    ("for each", (".irp r,1,2", READ, ".endr"), "unknown"),
    ("an include", ('.include "x"',), "unknown"),
    ("binary", ('.incbin "x"',), "unknown"),
    ("an instruction as a number", (READ, ".long 0x7e040301", WAIT), "unknown"),
    ("bytes", (".byte 1, 3, 4, 126",), "unknown"),
    ("filled", (".fill 1, 4, 0x7e040301",), "unknown"),
    ("skipped", (".skip 4",), "unknown"),
    ("moved on", (".org 0x100",), "unknown"),
    ("aligned by s_nop", (".p2align 4",), "no_fault"),
    ("aligned by an instruction", (".p2alignl 4, 0x7e040301",), "unknown"),
    ("debug information", (".loc 1 2 3", ".cfi_def_cfa_offset 16", ".Ltmp0:"), "no_fault"),
    ("data between", ('.section .rodata,"a",@progbits', ".long 1", ".text"), "no_fault"),
    ("code put elsewhere", (READ, '.section .text.cold,"ax",@progbits', WAIT, ".text", USE), "unknown"),
    ("a wait in data", (READ, ".data", WAIT, ".text", USE), "unknown"),
    ("a wait in a subsection", (READ, ".text 1", WAIT, ".text", USE), "unknown"),
    ("a wait in a comment after a quote", (READ, '.ident "\\"" /*', WAIT, "*/", USE), "fault"),
    ("a label glued on", (READ, f".Lx:{USE}"), "fault"),
    ("two labels glued on", (READ, f".Lx:.Ly :{USE}", WAIT), "fault"),
    ("a label in quotes", (READ, f'"x y":{USE}'), "fault"),
    ("a computed register", (READ, "v_mov_b32_e32 v2, v[2-1]"), "unknown"),
    ("a computed range", (READ, "v_mov_b64_e32 v[2:3], v[0:2-1]"), "unknown"),
    ("a register by name", (".set name, v1", READ, "v_mov_b32_e32 v2, name"), "unknown"),
    ("an offset by name", (".set at, 16", "ds_read_b32 v1, v0 offset:at"), "unknown"),
    ("a count in octal", (READ, "s_waitcnt lgkmcnt(010)"), "unknown"),
    ("vcc in a branch", ("s_load_dwordx2 vcc, s[0:1], 0x0", "s_cbranch_vccnz .Lq", ".Lq:"), "fault"),
    ("half of vcc in a branch", ("s_load_dword vcc_lo, s[0:1], 0x0", "s_cbranch_vccz .Lq", ".Lq:"),
     "fault"),
    ("vcc in a division", ("s_load_dwordx2 vcc, s[0:1], 0x0", "v_div_fmas_f32 v1, v2, v3, v4"), "fault"),
    ("half of vcc in a division", ("s_load_dword vcc_hi, s[0:1], 0x0",
                                   "v_div_fmas_f64 v[2:3], v[2:3], v[4:5], v[6:7]"), "fault"),
    ("vcc in a division, waited for", ("s_load_dwordx2 vcc, s[0:1], 0x0", WAIT,
                                       "v_div_fmas_f32 v1, v2, v3, v4"), "no_fault"),
    ("vcc in a choice", ("s_load_dwordx2 vcc, s[0:1], 0x0", "v_cndmask_b32_e32 v1, v2, v3, vcc"), "fault"),
    ("vcc in a choice, unnamed", ("s_load_dwordx2 vcc, s[0:1], 0x0", "v_cndmask_b32_e32 v1, v2, v3"),
     "unknown"),
    ("the base of scratch", ("s_load_dwordx2 flat_scratch, s[0:1], 0x0", "scratch_load_dword v1, off, s5"),
     "fault"),
    ("rounding", ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5",), "no_fault"),
    ("vector instructions skipped", ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 1",), "unknown"),
    ("a jump to a register", (READ, "s_cbranch_scc0 .Lr", WAIT, USE, ".Lr:", "s_setpc_b64 s[4:5]"), "unknown"),
    ("a return", (READ, WAIT, USE, "s_cbranch_scc0 .Lr", "s_setpc_b64 s[30:31]", ".Lr:"), "no_fault"),
    ("a return from a kernel", (READ, WAIT, USE, "s_cbranch_scc0 .Lr", "s_setpc_b64 s[30:31]", ".Lr:",
                                ".amdhsa_kernel k", ".end_amdhsa_kernel"), "unknown"),
    ("loads that gfx942 lacks", ("s_mov_b32 m0, 0", "global_load_lds_dwordx4 v0, s[4:5]"), "unknown"),
)


def check_snippets():
    for what, lines, answer in SNIPPETS:
        body = "\n".join(line if line.endswith(":") else f"\t{line}" for line in lines)
        expect(answer, SNIPPET.format(body=body), what)
