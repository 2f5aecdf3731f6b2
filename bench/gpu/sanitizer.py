#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`swp audit` and compute-sanitizer side by side: kernels that Triton compiles, each with one thing changed that orders threads.

usage: sanitizer.py make FOLDER [--every N]      compiles, changes and audits (needs Triton and swp: SWP, or build/release/swp)
       sanitizer.py run FOLDER [--jobs N]        runs each, alone, beside busy tensor cores and under racecheck and synccheck
                                                 (needs nvcc and a GPU of compute capability 9.0)

Prints for each kernel how many changes the audit calls what; of how many some result had other bits or came to no end, alone and with
those beside busy tensor cores; and of how many racecheck and synccheck report more than of the kernel as it is. Those that had other
bits and are no `fault` are listed. FOLDER/results.json has each change.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SIZE = 256  # rows and columns of the products
DEPTH = 512
REPEATS = 20
ENDS_S = 3  # a kernel that takes longer comes to no end
TOOL_S = 20
PTX_VERSION = "8.7"  # has all that the kernels use; Triton writes that of its own ptxas


def kernels():
    """Name, architecture, case of audit_triton.py, grid, arguments of run_ptx behind those that Triton adds."""
    sys.path.insert(0, os.path.dirname(HERE))
    import audit_triton
    import audit_triton_messy
    matrices = [f"in:{SIZE * DEPTH}", f"in:{SIZE * DEPTH}", f"out:{SIZE * SIZE}"]
    sizes = [f"int:{SIZE}", f"int:{SIZE}", f"int:{DEPTH}"]
    strides = [f"int:{DEPTH}", f"int:{SIZE}", f"int:{SIZE}"]
    tiles = SIZE // 64
    for arch in ("sm_80", "sm_90"):
        yield f"{arch}_gemm", arch, audit_triton.gemm_case(arch, "bf16", "n", (64, 64, 64), 4, 3), (tiles * tiles, 1), matrices + sizes + strides
    for kind in (False, True):
        yield ("sm_90_roles" if kind else "sm_90_tensor_copies", "sm_90", audit_triton.copied_case((64, 64, 64), 4, 3, kind),
               (tiles, tiles), matrices + sizes)
    gated = next(one for one in audit_triton_messy.CASES if one[0] == "gated_mlp")
    yield "sm_90_gated_mlp", "sm_90", gated, (tiles, tiles), [matrices[0], matrices[1], *matrices[1:], *sizes]


def compile_kernel(arch, one):
    import audit_triton
    import triton
    kept = []
    compiler = triton.compile
    triton.compile = lambda *args, **named: kept.append(compiler(*args, **named)) or kept[-1]
    try:
        text = audit_triton.compile_case(arch, *one)
    finally:
        triton.compile = compiler
    return text, kept[-1].metadata


def make(folder, every):
    sys.path.insert(0, os.path.dirname(HERE))
    import audit_ptx_mutants as mutation
    os.makedirs(folder, exist_ok=True)
    made = []
    for name, arch, one, grid, arguments in kernels():
        text, metadata = compile_kernel(arch, one)
        lines = [re.sub(r"^\s*//.*", "", line) for line in text.split("\n")]
        threads = int(re.search(r"\.(?:max|req)ntid (\d+)", text)[1])
        scratch = getattr(metadata, "global_scratch_size", 0) * grid[0] * grid[1]
        launch = {"name": one[0] if one[0] == "gated_mlp" else one[1].__name__, "grid": grid, "threads": threads, "shared": metadata.shared,
                  "arguments": arguments + [f"scratch:{scratch}", "scratch:0"]}
        chosen = [("as compiled", 0, {})] + [mutant for i, mutant in enumerate(mutation.mutants(lines)) if i % every == 0]
        for index, (what, line, changed) in enumerate(chosen):
            file = f"{name}_{index:03}.ptx"
            answer = mutation.answer_in(lines, changed, [[]])
            whole = "\n".join(changed.get(at, old) for at, old in enumerate(lines))
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                out.write(re.sub(r"^\.version .*$", ".version " + PTX_VERSION, whole, flags=re.MULTILINE))
            made.append({"kernel": name, "what": what, "line": line, "audit": answer, "file": file, **launch})
        print(f"{name}: {len(chosen) - 1} changes, {threads} threads, {metadata.shared} bytes shared, {scratch} of scratch", flush=True)
    with open(os.path.join(folder, "changes.json"), "w", encoding="utf-8") as out:
        json.dump(made, out, indent=1)


def outcome_of(command, seconds):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return "no end"
    return (done.stdout + done.stderr).strip() or str(done.returncode)


def command_of(folder, entry, repeats, busy="-"):
    return [os.path.join(folder, "run_ptx"), os.path.join(folder, entry["file"] + ".cubin"), entry["name"], *map(str, entry["grid"]),
            str(entry["threads"]), str(entry["shared"]), str(repeats), os.path.join(folder, entry["kernel"] + ".bin"), busy, *entry["arguments"]]


def assemble(folder, entry):
    path = os.path.join(folder, entry["file"])
    said = outcome_of(["ptxas", "-arch=sm_90a", "-o", path + ".cubin", path], TOOL_S)
    if not os.path.exists(path + ".cubin"):
        entry["not assembled"] = said


def compare(folder, entry):
    """One kernel at a time: what hangs takes the GPU from the others."""
    for how, busy in (("alone", "-"), ("busy", os.path.join(folder, "busy.cubin"))):
        entry[how] = outcome_of(command_of(folder, entry, REPEATS, busy), ENDS_S)


def check(folder, entry):
    """Hazards or errors, or why there is no summary."""
    for tool in ("racecheck", "synccheck"):
        said = outcome_of(["compute-sanitizer", "--tool", tool, *command_of(folder, entry, 1)], TOOL_S)
        summary = re.search(r"(?:RACECHECK SUMMARY: (\d+) hazard|ERROR SUMMARY: (\d+) error)", said)
        entry[tool] = int(summary[1] or summary[2]) if summary else said[-200:]
        if not entry["line"] and entry[tool]:
            print(f"{entry['kernel']} as compiled, {tool}: {said}")


def is_unlike(said):
    found = re.match(r"(\d+) of \d+ differ$", said)
    return not found or int(found[1]) > 0


def tell(original, rows):
    """What is reported of the kernel as it is counts for nothing."""
    answers = collections.Counter(one["audit"] for one in rows)
    harmed = [one for one in rows if is_unlike(one["alone"]) or is_unlike(one["busy"])]
    tools = [sum(isinstance(one[tool], int) and one[tool] > original[tool] for one in rows) for tool in ("racecheck", "synccheck")]
    print(f"{original['kernel']:22s} {len(rows):7d} {answers['fault']:8d} {answers['unknown'] + answers['timeout']:8d} {answers['no_fault']:9d} "
          f"{sum(is_unlike(one['alone']) for one in rows):8d} {len(harmed):8d} {tools[0]:10d} {tools[1]:10d}")
    for one in harmed:
        if one["audit"] != "fault":
            print(f"  {one['file']}:{one['line']}: {one['what']}: {one['audit']}; alone {one['alone']}, busy {one['busy']}")


def run(folder, jobs):
    folder = os.path.abspath(folder)
    with open(os.path.join(folder, "changes.json"), encoding="utf-8") as file:
        entries = json.load(file)
    subprocess.check_call(["nvcc", "-std=c++17", "-O2", "-o", os.path.join(folder, "run_ptx"), os.path.join(HERE, "run_ptx.cu"), "-lcuda"])
    subprocess.check_call(["nvcc", "-arch=sm_90a", "-cubin", "-o", os.path.join(folder, "busy.cubin"),
                           os.path.join(HERE, "busy_tensor_cores.cu")])
    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(lambda one: assemble(folder, one), entries))
    assembled = [entry for entry in entries if "not assembled" not in entry]
    for kernel in {entry["kernel"] for entry in entries}:
        if os.path.exists(os.path.join(folder, kernel + ".bin")):
            os.remove(os.path.join(folder, kernel + ".bin"))
    for entry in assembled:  # the kernel as it is comes first, and writes what is wanted of the others
        compare(folder, entry)
        if not entry["line"] and entry["alone"] != f"0 of {REPEATS} differ":
            sys.exit(f"{entry['file']}: the kernel as compiled: {entry['alone']}")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda one: check(folder, one), sorted(assembled, key=lambda one: "no end" in one["alone"])))
    with open(os.path.join(folder, "results.json"), "w", encoding="utf-8") as out:
        json.dump(entries, out, indent=1)
    print("kernel                 changes    fault  unknown  no_fault    alone  in all  racecheck  synccheck")
    for original in assembled:
        if not original["line"]:
            tell(original, [one for one in assembled if one["line"] and one["kernel"] == original["kernel"]])
            print(f"  as compiled: {original['audit']}; alone {original['alone']}, busy {original['busy']}")
    for one in entries:
        if "not assembled" in one:
            print(f"{one['file']}: {one['what']}: {one['not assembled'][-200:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    for name in ("make", "run"):
        step = steps.add_parser(name)
        step.add_argument("folder")
        step.add_argument("--every" if name == "make" else "--jobs", type=int, default=1 if name == "make" else 4, metavar="N")
    options = parser.parse_args()
    if options.step == "make":
        make(options.folder, options.every)
    else:
        run(options.folder, options.jobs)


if __name__ == "__main__":
    main()
