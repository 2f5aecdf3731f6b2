#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The corpus of kernels that nobody wrote for `swp audit`: compiles the public repositories of bench/corpus/corpus.json, and audits them.

    SWP=path/to/swp bench/audit_corpus.py REPOSITORIES OUT [--steps compile,split,audit] [--source NAME] [--jobs N] [--wheels FOLDER]

REPOSITORIES has a folder for each source of the list, checked out at the commit that it names. `compile` has nvcc write PTX of each
file (NVCC names it), `split` makes a file of each kernel that has an asynchronous operation, at most as many of each file and source as
the list says, and `audit` judges each alone: without options, and with the launch that the list has for it. It prints a line for
each kernel and a table by source: how many are decided, the certain faults, and the CPU seconds and memory. OUT/results.jsonl has a
line of JSON for each kernel.

--wheels takes more PTX, in a folder for each source, as Triton, CuTe DSL or TileLang have written it.
Nothing of the repositories is kept here.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SWP = os.environ.get("SWP", str(HERE.parent / "build/release/swp"))
NVCC = os.environ.get("NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
ASYNCHRONOUS = re.compile(r"\b(cp\.async|wgmma\.|mbarrier\.|cp\.reduce\.async|st\.async)")
MOST_OF_SOURCE = 24  # kernels
MOST_OF_FILE = 4
AUDIT_SECONDS = 60  # of one core
MEMORY_KIB = 1 << 20


def name_of(entry, number):
    return f"{entry['source']}/{number:02}_{Path(entry['file']).stem}"


def compiled(root, out, number, entry):
    """Why there is no PTX; empty: there is."""
    source = root / entry["source"]
    ptx = out / "ptx" / f"{name_of(entry, number)}.ptx"
    ptx.parent.mkdir(parents=True, exist_ok=True)
    if ptx.exists():
        return ""
    file = source / entry["file"]
    if "code" in entry:
        file = ptx.with_suffix(".cu")
        file.write_text(entry["code"], encoding="utf-8")
    options = [word.format(root=root, source=source, shims=HERE / "corpus/shims") for word in entry["options"]]
    standard = [] if any(word.startswith("-std") for word in options) else ["-std=c++17"]
    try:
        done = subprocess.run([NVCC, "-w", "-O3", "-lineinfo", "-ptx", f"-arch={entry['arch']}", *standard, *options, "-o", ptx, file], capture_output=True,
                              text=True, check=False, timeout=entry.get("timeout", 240))
    except subprocess.TimeoutExpired:
        return "it takes too long"
    return "" if done.returncode == 0 else done.stderr.strip()[:300] or "nvcc fails"


def functions(text):
    """(first line, end, whether it is a kernel) of each function."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        head = re.match(r"\s*(?:\.visible |\.weak |\.extern )*\.(entry|func)\b", lines[at])
        if not head:
            at += 1
            continue
        end = at
        while not lines[end].startswith("{") and not lines[end].rstrip().endswith(";"):
            end += 1
        depth = 0
        while lines[end].startswith("{") or depth:
            depth += lines[end].split("//")[0].count("{") - lines[end].split("//")[0].count("}")
            if not depth:
                break
            end += 1
        yield at, end + 1, head[1] == "entry"
        at = end + 1


def kernels(text):
    """(name, text of a file with it alone)"""
    lines = text.split("\n")
    found = list(functions(text))
    for at, end, is_kernel in found:
        if not is_kernel or not ASYNCHRONOUS.search("\n".join(lines[at:end])):
            continue
        others = {line for first, last, kernel in found if kernel and first != at for line in range(first, last)}
        alone = [line for number, line in enumerate(lines) if number not in others]
        yield re.search(r"\.entry\s+([\w$]+)", "\n".join(lines[at:at + 3]))[1], "\n".join(alone)


def split(out, ptx, most):
    """Spread over the file: instances of a template stand side by side."""
    made = []
    every = list(kernels(ptx.read_text(encoding="utf-8", errors="replace")))
    for number in range(min(most, len(every))):
        name, text = every[number * len(every) // min(most, len(every))]
        file = out / "kernels" / ptx.parent.name / f"{ptx.stem}_{number}.ptx"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        made.append({"source": ptx.parent.name, "file": str(file.relative_to(out)), "name": name})
    return made


def split_all(out, files, wheels):
    every = collections.defaultdict(list)
    for number, entry in enumerate(files):
        ptx = out / "ptx" / f"{name_of(entry, number)}.ptx"
        if ptx.exists():
            every[entry["source"]] += split(out, ptx, entry.get("most", MOST_OF_FILE))
    for ptx in sorted(wheels.glob("*/*.ptx")) if wheels else []:
        every[ptx.parent.name] += split(out, ptx, MOST_OF_FILE)
    chosen = []
    for made in every.values():
        most = min(MOST_OF_SOURCE, len(made))
        chosen += [made[i * len(made) // most] for i in range(most)]
    (out / "kernels.json").write_text(json.dumps(chosen, indent=1), encoding="utf-8")


def answer(out, kernel, options):
    limits = f'ulimit -t {AUDIT_SECONDS}; ulimit -v {MEMORY_KIB}; exec "$@"'
    with subprocess.Popen(["sh", "-c", limits, "sh", SWP, "audit", out / kernel["file"], "--format", "json", "--no-cache", *options], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as audit:
        said, wrong = audit.stdout.read(), audit.stderr.read()
        _, status, used = os.wait4(audit.pid, 0)
        audit.returncode = os.waitstatus_to_exitcode(status)
    result = {"seconds": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024, "options": options}
    try:
        report = json.loads(said)
    except ValueError:
        return {**result, "answer": "refused" if audit.returncode == 2 else "limit", "certain": [], "why": wrong.decode()[:200]}
    found = report["findings"]
    why = [f["kind"] + ": " + f["detail"] for f in found if not f["certain"]] + [note["why"] for note in report["unknown_instructions"]]
    return {**result, "answer": report["answer"], "why": " | ".join(why)[:400],
            "certain": [f"{f['kind']} {f['at']['line']} {f['other']['line'] if f['other'] else '-'}: {f['detail']}"[:250] for f in found if f["certain"]]}


def launch_of(launches, kernel):
    for launch in launches:
        if launch["source"] == kernel["source"] and re.search(launch["kernel"], kernel["name"] + " " + kernel["file"]):
            return shlex.split(launch["options"])
    return None


def judged(out, launches, kernel):
    launch = launch_of(launches, kernel)
    alone = answer(out, kernel, [])
    return {**kernel, "alone": alone, "launched": answer(out, kernel, launch) if launch is not None else alone}


def is_decided(result):
    return result["answer"] in ("no_fault", "fault")


def tell(kernel):
    for which in ("alone", "launched"):
        result = kernel[which]
        if which == "launched" and result is kernel["alone"]:
            continue
        print(f"{kernel['file']} {which}: {result['answer']} {result['seconds']:.1f} s {result['megabytes']:.0f} MB {result['why']}", flush=True)
        for certain in result["certain"]:
            print(f"    certain: {certain}", flush=True)


def sum_up(results):
    print()
    print(f"{'source':18} kernels  decided  with launch  certain faults  median s  worst s  worst MB")
    for source in [*sorted({kernel["source"] for kernel in results}), None]:
        some = [kernel for kernel in results if source in (None, kernel["source"])]
        seconds = sorted(kernel["alone"]["seconds"] for kernel in some)
        print(f"{source or 'all':18} {len(some):7}  {sum(is_decided(k['alone']) for k in some):7}  {sum(is_decided(k['alone']) or is_decided(k['launched']) for k in some):11}"
              f"  {sum(bool(k['alone']['certain'] or k['launched']['certain']) for k in some):14}  {statistics.median(seconds):8.2f}  {seconds[-1]:7.1f}"
              f"  {max(k['alone']['megabytes'] for k in some):8.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", default="compile,split,audit")
    parser.add_argument("--source", help="of the list, this one alone")
    parser.add_argument("--wheels", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    listed = json.loads((HERE / "corpus/corpus.json").read_text(encoding="utf-8"))
    files = listed["files"]
    root, out = options.repositories.resolve(), options.out.resolve()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        if "compile" in options.steps:
            some = [(i, e) for i, e in enumerate(files) if options.source in (None, e["source"])]
            for (number, entry), why in zip(some, pool.map(lambda pair: compiled(root, out, *pair), some)):
                print(f"{name_of(entry, number)}: {why or 'compiled'}", flush=True)
        if "split" in options.steps:
            split_all(out, files, options.wheels)
        if "audit" in options.steps:
            chosen = json.loads((out / "kernels.json").read_text(encoding="utf-8"))
            chosen = [kernel for kernel in chosen if options.source in (None, kernel["source"])]
            results = []
            with (out / f"results{'_' + options.source if options.source else ''}.jsonl").open("w", encoding="utf-8") as lines:
                for kernel in pool.map(lambda kernel: judged(out, listed["launches"], kernel), chosen):
                    results.append(kernel)
                    lines.write(json.dumps(kernel) + "\n")
                    lines.flush()
                    tell(kernel)
            sum_up(results)


if __name__ == "__main__":
    sys.exit(main())
