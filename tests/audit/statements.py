# SPDX-License-Identifier: Apache-2.0
"""Where a text hides instructions, or shows some that are none: what the assembler reads of it counts."""

import subprocess

from checks import LLVM_MC, SWP, check

HEAD = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\n\t.text\n\t.type k,@function\nk:\n'
TAIL = ("\n\ts_endpgm\n\t.amdgpu_metadata\n---\namdhsa.kernels:\n  - .max_flat_workgroup_size: 64\n"
        "    .name: k\n...\n\t.end_amdgpu_metadata\n")

# What | text in which USE may hide | whether the assembler sees it; None: that is doubted, whatever it does
READ, WAIT, USE = "\tds_read_b32 v1, v0\n", "\ts_waitcnt lgkmcnt(0)\n", "v_mov_b32 v2, v1"
HIDDEN = (
    ("a carriage return in a comment", f"; x\r{USE}\n", True),
    ("a carriage return in a C++ comment", f"// x\r{USE}\n", True),
    ("a carriage return behind a label", f".Lx:\r{USE}\n", True),
    ("a carriage return in a block comment", f"/* x\r{USE}\r*/\n", False),
    ("carriage returns and line feeds", f"; x\r\n\t{USE}\r\n", True),
    ("a line feed and a form feed in a comment", f"; x\f{USE}\n", False),
    ("a vertical tab in a comment", f"; x\v{USE}\n", False),
    ("a line separator in a comment", f"; x\u2028{USE}\n", False),
    ("a backslash at the end of a comment", f"; x \\\n\t{USE}\n", True),
    ("a semicolon", f"\ts_nop 0 ; {USE}\n", False),
    ("a block comment that begins twice", f"/* /* x */ {USE}\n", True),
    ("a block comment that begins in a comment", f"; /*\n\t{USE}\n; */\n", True),
    ("a string over lines", f'.ident "x\n\t{USE}\n"\n', None),
    ("a string that ends at a carriage return", f'.ident "x\r\t{USE}\r"\n', None),
    ("a block comment behind a quote in quotes", f".set q, '\"' /*\n\t{USE}\n; */\n", None),
    ("a block comment behind a semicolon in quotes", f".set q, ';' /*\n\t{USE}\n; */\n", None),
    ("a block comment in a line of the preprocessor", f"# x /*\n\t{USE}\n# */\n", None),
    ("metadata that end at a carriage return",
     f".amdgpu_metadata\n---\n; x\r.end_amdgpu_metadata\r\t{USE}\n.amdgpu_metadata\n---\n.end_amdgpu_metadata\n", True),
    ("another section of the same name", f'.section .text,"ax",@progbits,unique,1\n\t{USE}\n.text\n', None),
)


def answer(text):
    result = subprocess.run([SWP, "audit", "-", "--strict", "--format", "json"], input=text.encode(), capture_output=True,
                            check=False)
    for word in ("no_fault", "fault", "unknown"):
        if f'"answer": "{word}"'.encode() in result.stdout:
            return word
    return result.stderr.decode()


def is_assembled(text):
    """Whether the use becomes code; None if the text is refused."""
    result = subprocess.run([LLVM_MC, "--triple=amdgcn-amd-amdhsa", "-mcpu=gfx942", "-"], input=text.encode(),
                            capture_output=True, check=False)
    return b"v_mov_b32" in result.stdout


def check_statements():
    """An early use that the assembler sees is a fault, and one that it does not see is none."""
    for what, hidden, seen in HIDDEN:
        text = HEAD + READ + hidden + WAIT + TAIL
        wanted = {True: "fault", False: "no_fault", None: "unknown"}[seen]
        got = answer(text)
        check(got == wanted, f"{what}: {got}, wanted {wanted}")
        if LLVM_MC and seen is not None:
            check(is_assembled(text) == seen, f"{what}: the assembler {'does not see' if seen else 'sees'} it")
