#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`swp audit` on assembly: written by hand, and compiled here where clang-22 is installed.

    SWP=path/to/swp tests/audit/run.py

CLANG and LLVM_MC name a clang and an llvm-mc that know gfx950, if they are not clang-22 and llvm-mc-22.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SWP = os.path.abspath(os.environ.get("SWP", os.path.join(HERE, "..", "..", "build", "dev", "swp")))
CLANG = shutil.which(os.environ.get("CLANG", "clang-22"))
LLVM_MC = shutil.which(os.environ.get("LLVM_MC", "llvm-mc-22"))

failures = []
done = 0


def check(holds, what):
    global done
    done += 1
    if not holds:
        failures.append(what)


def path_of(name):
    return os.path.join(HERE, name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def audit(text, *options):
    """(exit status, report) of an assembly text."""
    result = subprocess.run([SWP, "audit", "-", "--format", "json", *options], input=text,
                            capture_output=True, text=True, check=False)
    return result.returncode, json.loads(result.stdout) if result.stdout else result.stderr


def compile_kernel(name, target, *options):
    result = subprocess.run([CLANG, "--target=amdgcn-amd-amdhsa", f"-mcpu={target}", "-O2", "-S",
                             "-nogpulib", "-Wall", "-Wextra", "-Werror", *options, path_of(name),
                             "-o", "-"], capture_output=True, text=True, check=False)
    check(result.returncode == 0, f"{name} does not compile\n{result.stderr}")
    return result.stdout


def line_of(text, number):
    return text.splitlines()[number - 1].split(";")[0].strip()


# --- the compiler's own fault --------------------------------------------------------------------

def check_early_use(text, where):
    """The wait takes a load to LDS for an access that lgkmcnt counts."""
    status, report = audit(text)
    check(status == 1 and report["answer"] == "fault", f"{where}: answer {report['answer']}")
    found = report["findings"]
    check(len(found) == 1 and found[0]["kind"] == "register_not_ready", f"{where}: {found}")
    if not found:
        return
    fault = found[0]
    for key, wanted in (("other", "ds_read_b32"), ("wait", "s_waitcnt lgkmcnt(1)")):
        check(line_of(text, fault[key]["line"]).startswith(wanted), f"{where}: {key}: {fault[key]}")
    register = re.match(r"ds_read_b32 (v\d+),", fault["other"]["text"])[1]
    check(fault["place"] == register, f"{where}: {fault['place']}, not {register}")
    check(re.search(rf"\b{register}\b", fault["at"]["text"]), f"{where}: {fault['at']}")
    check(fault["enough"].startswith("s_waitcnt lgkmcnt(0)"), f"{where}: {fault['enough']}")


def check_ready(text, where):
    status, report = audit(text)
    check(status == 0 and report["answer"] == "no_fault", f"{where}: {report}")
    check("buffer_load_dword" in text and " lds" in text, f"{where}: no load to LDS by buffer")


# --- edits ---------------------------------------------------------------------------------------

def edits_of(text):
    """(what, text) for each wait and barrier taken away, and each count let out by one."""
    lines = text.splitlines(keepends=True)
    for i, line in enumerate(lines):
        code = line.split(";")[0].strip()
        if not code.startswith(("s_waitcnt", "s_barrier")):
            continue
        yield f"line {i + 1} without {code}", "".join(lines[:i] + lines[i + 1:])
        for count in re.finditer(r"(vmcnt|lgkmcnt)\((\d+)\)", line):
            weaker = f"{count[1]}({int(count[2]) + 1})"
            edited = line[:count.start()] + weaker + line[count.end():]
            yield f"line {i + 1} {code} as {weaker}", "".join(lines[:i] + [edited] + lines[i + 1:])


def check_edits(text, where, least):
    count = 0
    for what, edited in edits_of(text):
        count += 1
        status, report = audit(edited)
        check(status == 1 and report["answer"] == "fault", f"{where}: {what} is not found")
    check(count >= least, f"{where}: only {count} edits")


def move_read_after_load(text):
    """The loop's last LDS read before its first load to LDS, moved after that; and its new line."""
    lines = text.splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines) if "Loop Header" in line)
    load = next(i for i in range(start, len(lines)) if "global_load_lds" in lines[i])
    read = max(i for i in range(start, load) if "ds_read" in lines[i])
    return "".join(lines[:read] + lines[read + 1:load + 1] + [lines[read]] + lines[load + 1:]), load + 1


def check_double_buffer():
    text = compile_kernel("double_buffer.c", "gfx950")
    status, report = audit(text)
    check(status == 0 and report["answer"] == "no_fault", f"double_buffer.c: {report}")
    loops = [loop for loop in report["loops"] if loop["innermost"]]
    wanted = {"loads_to_lds": 4, "lds_reads": 8, "matrix": 8, "barriers": 4}
    check(len(loops) == 1 and all(loops[0][key] == value for key, value in wanted.items()),
          f"double_buffer.c: {loops}")
    check_edits(text, "double_buffer.c", 25)
    edited, moved = move_read_after_load(text)
    status, report = audit(edited)
    in_lds = [found for found in report["findings"]
              if found["kind"] in ("stale_read", "overwritten") and
              moved in (found["at"]["line"], found["other"]["line"])]
    check(status == 1 and in_lds, f"double_buffer.c: a read after the load: {report}")


# --- the table of instructions -------------------------------------------------------------------

def check_instructions():
    """Each row of instructions.s is an instruction of gfx950, and no stranger to the audit."""
    text = read(path_of("instructions.s"))
    table = read(os.path.join(HERE, "..", "..", "src", "audit", "amd_table.h"))
    names = re.findall(r"^\t([a-z]\w+)", text, re.MULTILINE)
    for row in re.findall(r'X\("(\w+)"', table):
        check(any(f"{name}_".startswith(f"{row}_") for name in names),
              f"instructions.s has no {row}")
    status, report = audit(text)
    strangers = [stranger["at"] for stranger in report["unknown_instructions"]]
    check(status in (0, 1) and not strangers, f"instructions.s: not known: {strangers}")
    if LLVM_MC is None:
        return
    result = subprocess.run([LLVM_MC, "--triple=amdgcn-amd-amdhsa", "-mcpu=gfx950", "-o",
                             os.devnull], input=text, capture_output=True, text=True, check=False)
    check(result.returncode == 0, f"instructions.s: {result.stderr}")


def main():
    check_early_use(read(path_of("early_use.s")), "early_use.s")
    check_ready(read(path_of("ready.s")), "ready.s")
    check_edits(read(path_of("ready.s")), "ready.s", 6)
    check_instructions()
    if CLANG:
        check_early_use(compile_kernel("early_use.c", "gfx942"), "early_use.c")
        check_ready(compile_kernel("ready.c", "gfx942"), "ready.c")
        check_double_buffer()
    else:
        print("audit: no clang-22: early_use.c, ready.c and double_buffer.c are not compiled")
    if not LLVM_MC:
        print("audit: no llvm-mc-22: instructions.s is not assembled")
    for failure in failures:
        print(f"FAIL {failure}")
    print(f"audit: {done} checks, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
