#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: generate.py INCLUDE_DIR OUT.c

Writes a program that calls every public function with each pointer NULL in turn. A function refuses it at
once, with SWP_INVALID and E0003 or with its neutral value, so that the others may point to anything. Where
NULL means something it stands in OPTIONAL, and in the comment of the function.
"""

import glob
import os
import re
import sys

# Pointers that may be NULL: in every function of that parameter, or in one function.
OPTIONAL = {"file", "length", "options", "namer", "limits", "allocator", "sweep"}
OPTIONAL_OF = {
    ("swp_audit_schedule", "launch"), ("swp_certificate_check", "certificate"),
    ("swp_loop_certificate_check", "certificate"), ("swp_pipeline_4wave_init", "schedule"),
    ("swp_pipeline_4wave_init", "target"), ("swp_build_kernel_program", "edges"),
    ("swp_answer_read_json", "name"), ("swp_loop_new", "name"), ("swp_loop_add_unit", "name"),
    ("swp_loop_add_rate", "name"),
    ("swp_loop_dependences", "slots"), ("swp_dump_entry", "prefix"),
    ("swp_context_free", "ctx"), ("swp_schedule_free", "schedule"),
    ("swp_derive_prologue_from_program", "bootstrap"), ("swp_description_read_yaml_with", "target"),
    ("swp_context_keep_search", "text"),
}
NUMBERS = ("int", "int64_t", "uint64_t", "size_t", "double", "bool", "uint32_t")

PRELUDE = """/* Written by tests/null/generate.py. */
#include "swp/swp.h"

#include <stdio.h>
#include <string.h>

static union {
    long double number;
    void *pointer;
    char bytes[1 << 16];
} anything;

static int failures;

static void fail(const char *what, const char *why)
{
    (void)printf("%s: %s\\n", what, why);
    failures++;
}

static void expect_refusal(const char *what, swp_context *ctx, swp_status status)
{
    size_t count = 0;
    const swp_diag *diags = swp_context_diags(ctx, &count);
    if (status != SWP_INVALID)
        fail(what, "is not SWP_INVALID");
    else if (ctx && (count != 1 || strcmp(diags[0].code, "E0003") != 0))
        fail(what, "is not reported as E0003");
}

static void expect_nothing(const char *what, bool nothing)
{
    if (!nothing)
        fail(what, "is not the neutral value");
}
"""


def parameters(text):
    """(type, name, whether it is a pointer) of each."""
    found = []
    for one in (part.strip() for part in text.split(",")):
        match = re.fullmatch(r"(.*?)(\w+)(\[\w*\])?", one)
        if one != "void":
            kind = match.group(1).strip()
            found.append((kind, match.group(2), kind.endswith("*") or bool(match.group(3))))
    return found


def functions(folder):
    """(result, name, parameters, comment) of each public function."""
    for path in sorted(glob.glob(os.path.join(folder, "swp", "*.h"))):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"^\s*#.*?(?<!\\)$", "", file.read(), flags=re.MULTILINE | re.DOTALL)
        for match in re.finditer(r"(/\*\*(?:(?!\*/).)*\*/\s*)?SWP_API\s([^;]*);", text, re.DOTALL):
            declaration = " ".join(re.sub(r"/\*.*?\*/", "", match.group(2), flags=re.DOTALL).split())
            result, name, rest = re.fullmatch(r"(.*?)(\w+)\((.*)\)", declaration).groups()
            yield result.strip(), name, parameters(rest), match.group(1) or ""


def argument(kind, name, is_pointer, is_null):
    if name == "ctx":
        return "NULL" if is_null else "ctx"
    if is_pointer:
        return "NULL" if is_null else "(void *)&anything"
    if kind in NUMBERS:
        return "1"
    return f"({kind}){{0}}"


def call(result, name, taken, null):
    """A block that calls it with one NULL."""
    words = ", ".join(argument(*one, one[1] == null) for one in taken)
    what = f'"{name}(), {null}"'
    has_context = any(one[1] == "ctx" for one in taken)
    ctx = "ctx" if has_context and null != "ctx" else "NULL"
    if result == "swp_status":
        check = f"expect_refusal({what}, {ctx}, {name}({words}));"
    elif result == "const char *":
        check = f"const char *text = {name}({words}); expect_nothing({what}, !text || !*text);"
    elif result.endswith("*"):
        check = f"expect_nothing({what}, {name}({words}) == NULL);"
    elif result in NUMBERS:
        check = f"expect_nothing({what}, {name}({words}) == 0);"
    else:
        check = f"(void){name}({words});"
    return ("{ swp_context *ctx = swp_context_new(NULL); (void)memset(&anything, 0, sizeof anything); "
            f"{check} swp_context_free(ctx); }}")


def main():
    calls, undocumented = [], []
    for result, name, taken, comment in functions(sys.argv[1]):
        for _, null, is_pointer in taken:
            if not is_pointer:
                continue
            if (name, null) in OPTIONAL_OF and "NULL" not in comment:
                undocumented.append(f"{name}: {null}")
            if null not in OPTIONAL and (name, null) not in OPTIONAL_OF:
                calls.append(call(result, name, taken, null))
    if undocumented or len(calls) < 300:
        sys.exit(f"{len(calls)} calls; may be NULL, but their comments do not say so: {undocumented}")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(PRELUDE)
        for i, block in enumerate(calls):
            file.write(f"\nstatic void call{i}(void)\n{block}\n")
        file.write("\nint main(void)\n{\n" + "".join(f"    call{i}();\n" for i in range(len(calls))))
        file.write(f'    (void)printf("null: {len(calls)} calls, %d failed\\n", failures);\n'
                   "    return failures != 0;\n}\n")


if __name__ == "__main__":
    main()
