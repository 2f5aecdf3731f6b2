#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels of kernels/cuda/hopper whose schedules wait for less than they must: what of it goes wrong on a GPU.

usage: hopper_weakened.py make FOLDER       with swp (SWP, default build/release/swp): headers, and what the proof says of each
       hopper_weakened.py run FOLDER        with nvcc and a GPU of sm_90: builds all of them, and counts wrong results of each
                                            beside copies that fill the memory system; --runs N (2000), --seconds N (30)

Each wait, fence and barrier is left out, or a group of wgmmas or stores in flight more is let be; each arrival comes before the wait
in front of it. That is done wherever the same piece of synchronisation stands, in all lists of its role.
"""
import argparse
import concurrent.futures
import copy
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = HERE / "../../kernels/cuda/hopper"
SCHEDULES = ("attention_64", "gemm_bf16_128")
LEFT_OUT = ("wait_phase", "named_sync", "fence_async", "matrix_fence")
ONE_MORE = ("matrix_wait", "bulk_wait_read", "bulk_wait")


def lists_of(role):
    for name in ("begin", "prologue", "kernel", "epilogue", "end", "drain"):
        yield name, role[name]
    for name in ("epilogues", "straight"):
        for entries in role[name]:
            yield name, entries["entries"] if isinstance(entries, dict) else entries


def next_op(entries, at):
    return next((entry["name"] for entry in entries[at:] if entry["role"] != "sync"), "the end")


def piece(entries, at):
    """What an entry has in common with those of other iterations; None: it is not weakened."""
    entry = entries[at]
    if entry["role"] != "sync" or entry["name"] not in LEFT_OUT + ONE_MORE + ("arrive",):
        return None
    of = f"<= {entry['wait']} " if entry["name"] in ONE_MORE else entry["object"] + " " if entry["object"] else ""
    return f"{entry['name']} {of}before {next_op(entries, at)}"


def weaken(entries, at):
    entry = entries[at]
    if entry["name"] in LEFT_OUT:
        del entries[at]
    elif entry["name"] in ONE_MORE:
        entry["wait"] += 1
    elif at > 0 and entries[at - 1]["role"] == "sync":
        entries[at - 1], entries[at] = entry, entries[at - 1]


def weakened(schedule):
    """Each way to weaken it: its name, the schedule."""
    names = []
    for role in schedule["roles"]:
        for _, entries in lists_of(role):
            for at in range(len(entries)):
                name = piece(entries, at)
                if name and (role["name"], name) not in names:
                    names.append((role["name"], name))
    for role_name, name in names:
        weaker = copy.deepcopy(schedule)
        for role in weaker["roles"]:
            if role["name"] != role_name:
                continue
            for _, entries in lists_of(role):
                for at in reversed(range(len(entries))):
                    if piece(entries, at) == name:
                        weaken(entries, at)
        if weaker != schedule:
            yield f"{role_name}: {name}", weaker


def make(folder):
    swp = os.environ.get("SWP", str(HERE / "../../build/release/swp"))
    folder.mkdir(parents=True, exist_ok=True)
    lines = subprocess.run([KERNELS / "variants", folder / "base"], env={**os.environ, "SWP": swp}, check=True,
                           capture_output=True, text=True).stdout
    (folder / "variants.txt").write_text(lines)
    table = []
    for base in SCHEDULES:
        schedule = json.loads((folder / "base" / f"{base}.json").read_text())
        for number, (what, weaker) in enumerate(weakened(schedule)):
            path = folder / f"{base}_{number}.json"
            path.write_text(json.dumps(weaker))
            verdict = subprocess.run([swp, "verify", path], capture_output=True, text=True, check=False)
            said = (verdict.stdout + verdict.stderr).strip().splitlines()
            prefix = base.split("_", maxsplit=1)[0].upper()
            emitted = subprocess.run([swp, "emit", path, "--format", "c", "--prefix", prefix, "--allow-unsafe", "-o",
                                      path.with_suffix(".h")], capture_output=True, text=True, check=False)
            path.unlink()
            table.append({"base": base, "name": path.stem, "what": what, "verdict": verdict.returncode,
                          "said": said[0].split(": ", 1)[-1] if said else "", "emitted": emitted.returncode == 0})
            print(f"{path.stem:20} {what:60} {table[-1]['said']}")
    (folder / "table.json").write_text(json.dumps(table, indent=1))
    print(f"the proof refuses {sum(row['verdict'] != 0 for row in table)} of {len(table)}, "
          f"{sum(not row['emitted'] for row in table)} have no header")


def compiled(folder, name, base, header):
    variants = map(str.split, (folder / "variants.txt").read_text().splitlines())
    source, *flags = next(words for variant, *words in variants if variant == base)
    target = folder / f"{name}.o"
    subprocess.run(["nvcc", "-std=c++17", "-O3", "-gencode=arch=compute_90a,code=sm_90a", "-Xcompiler", "-fPIC", "-I", KERNELS,
                    f'-DSCHEDULE_HEADER="{header}"', *flags, "-c", "-o", target, KERNELS / source], check=True,
                   capture_output=True)
    return target


def build(folder, table):
    bases = [line.split()[0] for line in (folder / "variants.txt").read_text().splitlines()]
    jobs = {base: (base, folder / "base" / f"{base}.h") for base in bases}
    jobs.update({row["name"]: (row["base"], folder / f"{row['name']}.h") for row in table if row["emitted"]})
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = dict(zip(jobs, pool.map(lambda name: compiled(folder, name, *jobs[name]), jobs)))
        interface = folder / "swp_kernels.o"
        subprocess.run(["nvcc", "-std=c++17", "-Xcompiler", "-fPIC", "-I", KERNELS, "-c", "-o", interface,
                        KERNELS / "swp_kernels.cu"], check=True)

        def link(name):
            chosen = [objects[name] if name != base and jobs[name][0] == base else objects[base] for base in bases]
            subprocess.run(["nvcc", "-shared", "-o", folder / f"{name}.so", interface, *chosen], check=True)

        list(pool.map(link, [SCHEDULES[0]] + [row["name"] for row in table if row["emitted"]]))


def count_wrong(folder, name, base, runs):
    """In a process of its own: one line of JSON, how many results differ from those of the schedule as it was."""
    import random  # pylint: disable=import-outside-toplevel

    import torch  # pylint: disable=import-outside-toplevel
    sys.path.insert(0, str(KERNELS))
    os.environ["SWP_KERNELS"] = str(folder / f"{SCHEDULES[0]}.so")
    import swp_kernels  # pylint: disable=import-outside-toplevel
    torch.manual_seed(1)
    if base.startswith("attention"):
        q, k, v = [torch.randn(2, 40, 777, 64, device="cuda").bfloat16() for _ in range(3)]

        def function():
            return swp_kernels.attention(q, k, v)[0]
    else:
        a, b = torch.randn(19000, 1032, device="cuda").bfloat16(), torch.randn(120, 1032, device="cuda").bfloat16()

        def function():
            return swp_kernels.gemm(a, b, variant=base.removeprefix("gemm_"))
    expected = function()
    os.environ["SWP_KERNELS"] = str(folder / f"{name}.so")
    swp_kernels._library = swp_kernels._load()  # pylint: disable=protected-access
    source, target = (torch.empty(1 << 28, device="cuda", dtype=torch.uint8) for _ in range(2))
    disturbance, wrong = torch.cuda.Stream(), 0
    for _ in range(runs):
        with torch.cuda.stream(disturbance):
            target[:random.randrange(1, 1 << 28)].copy_(source[:1], non_blocking=True)
        wrong += not torch.equal(function(), expected)
    print(json.dumps({"wrong": wrong}))


def last_line_of(done):
    return (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1]


def run(folder, runs, seconds):
    table = json.loads((folder / "table.json").read_text())
    build(folder, table)
    first = {"name": SCHEDULES[0], "base": SCHEDULES[0], "what": "as it was", "said": "", "emitted": True}

    def one(row):
        try:
            done = subprocess.run([sys.executable, __file__, "count", str(folder), "--name", row["name"], "--base", row["base"],
                                   "--runs", str(runs)], capture_output=True, text=True, timeout=seconds, check=False)
            row["wrong"] = json.loads(done.stdout)["wrong"] if done.returncode == 0 else last_line_of(done)
        except subprocess.TimeoutExpired:
            row["wrong"] = "hangs"
        print(f"{row['name']:20} {row['what']:60} {row['said']:50} {row['wrong']}", flush=True)

    rows = [first] + [row for row in table if row["emitted"]]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(one, rows))
    (folder / "weakened.json").write_text(json.dumps(rows, indent=1))
    bad = [row for row in rows[1:] if row["wrong"] != 0]
    print(f"{len(bad)} of {len(rows) - 1} weakened kernels go wrong")
    return rows[0]["wrong"] != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["make", "run", "count"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--name")
    parser.add_argument("--base")
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    if arguments.mode == "make":
        return make(folder)
    if arguments.mode == "count":
        return count_wrong(folder, arguments.name, arguments.base, arguments.runs)
    return run(folder, arguments.runs, arguments.seconds)


if __name__ == "__main__":
    sys.exit(main())
