# SPDX-License-Identifier: Apache-2.0
"""A program with as few instructions as still show what was found, for whoever has to look at it."""


def shrink(text, shows):
    """Drops lines of the code, in ever smaller runs, while `shows(text)` holds."""
    head, code, tail = parts(text)
    size = max(len(code) // 2, 1)
    while size:
        at = 0
        while at < len(code):
            fewer = code[:at] + code[at + size:]
            if any("s_endpgm" in line for line in fewer[-1:]) and shows(head + "".join(fewer) + tail):
                code = fewer
            else:
                at += size
        size //= 2
    return head + "".join(code) + tail


def parts(text):
    """Before the code that may go, that code, and what follows; addresses are made as they were."""
    begin = text.index("\n", text.index("s_waitcnt lgkmcnt(0)", text.index("v_mov_b32_e32 v7"))) + 1
    end = text.index("\t.section")
    return text[:begin], text[begin:end].splitlines(keepends=True), text[end:]
