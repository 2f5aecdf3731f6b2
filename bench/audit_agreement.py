#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The proof of a schedule beside the audit of the PTX that nvcc makes of its header: of random loops with warp roles, and edits.

    SWP=path/to/swp bench/audit_agreement.py DIR [--loops N] [--edits N] [--seed S] [--jobs N] [--steps make,compile,judge]

`make` writes the loops, edits a schedule of each, asks `swp verify`, and writes the header of each, accepted hazards and all,
with a kernel that does what the ops say: bulk copies, wgmmas, loads and stores of each thread's share. An edit is so made alike in
schedule and header. `compile` has nvcc write PTX (NVCC names it). `judge` asks `swp audit`, and prints by kind of edit how the two
answers go together: a disagreement is a schedule that is unsafe with PTX that has no fault, or the other way round. Of kinds that few
loops allow, and that few cases have so far, edits are drawn first.

Edits whose hazard the PTX can't show are left out, by what verify calls it: which iteration an op works for is no matter of
the machine (where `wrong_tile`, `missing_work`, `double_work` or `out_of_range` is told, other hazards follow from it), and registers in PTX have names for each value (`accumulator_in_flight`,
`register_not_ready`) that only ptxas lays upon each other.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
from itertools import repeat
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests/roles_header")]
sys.dont_write_bytecode = True

import default_answers  # noqa: E402
import edits  # noqa: E402

SWP = os.environ.get("SWP", str(HERE.parent / "build/release/swp"))
NVCC = os.environ.get("NVCC") or shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
OF_ITERATIONS = {"wrong_tile", "missing_work", "double_work", "out_of_range"}
OF_REGISTERS = {"accumulator_in_flight", "register_not_ready"}
RARE_FIRST = ["instances", "arrivals", "turn", "wait", "without", "threads", "swapped", "slots", "bytes"]  # kinds of edits
RAREST = 2  # kinds, of which more are drawn
LOOPS_A_ROUND = 20  # of which the edits are drawn by what there was before
KERNELS_A_FILE = 20
AUDIT_SECONDS = 60  # of one core
IDLE_BYTES = 4096  # that a wgmma multiplies with where its op reads nothing from shared memory
MBARRIER_BYTES = 1024

COMMON = r"""// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>
typedef unsigned long long u64;
static __device__ __forceinline__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
static __device__ __forceinline__ void copy(unsigned char *to, const unsigned char *from, int bytes, u64 *mbarrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(mbarrier)) : "memory");
}
static __device__ __forceinline__ void store(unsigned char *to, const unsigned char *from, int bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)), "r"(bytes) : "memory");
}
static __device__ __forceinline__ u64 matrix(const unsigned char *p)
{
    return (u64)((shared_address(p) & 0x3ffff) >> 4) | (u64)8 << 16 | (u64)16 << 32;
}
static __device__ __forceinline__ void multiply(float (&d)[4], const unsigned char *a, const unsigned char *b, int adds)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0; }"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(matrix(a)), "l"(matrix(b)), "r"(adds) : "memory");
}
static __device__ __forceinline__ void multiply(float (&d)[4], const float (&a)[4], const unsigned char *b, int adds)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %9, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p, 1, 1, 0; }"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])), "l"(matrix(b)), "r"(adds) : "memory");
}
static __device__ __forceinline__ float load(const unsigned char *p)
{
    float x;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(shared_address(p)) : "memory");
    return x;
}
/* nvcc would move what is no asm, and constants before all, past a wgmma.fence. */
static __device__ __forceinline__ void set(float &to, float x)
{
    asm volatile("add.f32 %0, %1, %1;" : "=f"(to) : "f"(x) : "memory");
}
static __device__ __forceinline__ void raise(float &to, float x)
{
    asm volatile("add.f32 %0, %0, %1;" : "+f"(to) : "f"(x) : "memory");
}
static __device__ __forceinline__ void put(unsigned char *p, float x)
{
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(shared_address(p)), "f"(x) : "memory");
}
"""


def run_swp(*words, text=None):
    return subprocess.run([SWP, *map(str, words)], input=text, capture_output=True, text=True, check=False)


# ---- Kernels ----


class Kernel:
    """The text of the kernel around a header."""

    def __init__(self, schedule, prefix):
        self.schedule, self.prefix = schedule, prefix
        self.values = {v["value"]: v for v in schedule["dataflow"]["values"]}
        self.at, self.size = {}, 0
        for name, v in self.values.items():
            if v["space"] == "shared":
                self.at[name] = self.size
                self.size += -(-v["bytes"] * v["slots"] // 1024) * 1024

    def role_of(self, op):
        tag = [o["op"] for o in self.schedule["dataflow"]["ops"]].index(op["op"])
        for role in self.schedule["roles"]:
            lists = [role["prologue"], role["kernel"], role["epilogue"], *role.get("epilogues", []), *role.get("straight", [])]
            if any(e["tag"] == tag and e["role"] != "sync" for entries in lists for e in entries):
                return role
        return self.schedule["roles"][0]

    def is_made_by(self, name, role):
        return any(name in op["writes"] + op["updates"] and self.role_of(op) is role for op in self.schedule["dataflow"]["ops"])

    def place(self, name, slot):
        return f"(k->shared + {self.at[name]} + ({slot}) * {self.values[name]['bytes']})"

    def share(self, name, role):
        """(offset, bytes) of what an instance of a role touches."""
        whole = self.values[name]["bytes"]
        part = whole // role["instances"] if self.is_made_by(name, role) else whole
        return (f"k->instance * {part}" if part != whole else "0"), part

    def read(self, name, slot, role):
        if self.values[name]["space"] == "registers":
            return [f"x += k->{name}[{slot}][0] + k->{name}[{slot}][1] + k->{name}[{slot}][2] + k->{name}[{slot}][3];"]
        offset, part = self.share(name, role)
        step = 4 * 32 * role["warps"]
        return [f"x += load({self.place(name, slot)} + {offset} + k->thread * 4 + {by});" for by in range(0, part, max(step, part // 4 // step * step))]

    def write(self, name, slot, role, adds):
        if self.values[name]["space"] == "registers":
            return [f"{'raise' if adds else 'set'}(k->{name}[{slot}][{i}], x);" for i in range(4)]
        if self.values[name]["space"] == "global":
            return ["k->out[k->thread] = (unsigned char)x;"]
        offset, part = self.share(name, role)
        step = 4 * 32 * role["warps"]
        return [f"put({self.place(name, slot)} + {offset} + k->thread * 4 + {by}, x);" for by in range(0, part, max(step, part // 4 // step * step))]

    def body(self, op):
        """(parameters, statements) of an op's macro."""
        role = self.role_of(op)
        reads = [r["value"] + (f"_{r['before']}" if r["before"] else "") for r in op["reads"]]
        slots_of = [name for name in op["writes"] + op["updates"] + reads if self.values[re.sub(r"_\d+$", "", name)]["space"] != "global"]
        names = {name: re.sub(r"_\d+$", "", name) for name in slots_of}
        made = [n for n in op["writes"] + op["updates"] if self.values[n]["space"] != "global"]
        read = [n for n in slots_of if n not in made]
        parameters, out = [f"s_{n}" for n in slots_of], []
        if op["completion"] == "copy_mbarrier":
            out = [f"copy({self.place(n, f's_{n}')}, k->in, {self.values[n]['bytes']}, mbarrier);" for n in made]
            return parameters + ["mbarrier", "bytes"], out
        if op["completion"] == "store_group":
            for n in read:
                offset, part = self.share(names[n], role)
                out.append(f"store(k->out, {self.place(names[n], f's_{n}')} + {offset}, {part});")
        elif op["completion"] == "matrix_group":
            shared = [n for n in read if self.values[names[n]]["space"] == "shared"]
            own = [n for n in read if self.values[names[n]]["space"] == "registers"]
            sums = f"k->{made[0]}[s_{made[0]}]"
            adds = 1 if made[0] in op["updates"] else 0
            b = self.place(names[shared[0]], f"s_{shared[0]}") if shared else "k->idle"
            for n in own:
                out.append(f"multiply({sums}, k->{names[n]}[s_{n}], {b}, {adds});")
                adds = 1
            for i, n in enumerate(shared[1:] or ([] if own else shared[:1] or [None])):
                a = self.place(names[n], f"s_{n}") if n else "k->idle"
                out.append(f"multiply({sums}, {a}, {b}, {adds});")
                adds = 1
        else:
            out = ["float x = 0;"]
            for n in read:
                out += self.read(names[n], f"s_{n}", role)
            for n in op["updates"]:
                if self.values[n]["space"] == "shared":
                    out += self.read(n, f"s_{n}", role)
            for n in op["writes"] + op["updates"]:
                out += self.write(n, f"s_{n}", role, n in op["updates"])
            out = ["{", *out, "}"]
        return parameters, out

    def text(self, header):
        p, own = self.prefix, f"struct {self.prefix.lower()}_context"
        registers = [n for n, v in self.values.items() if v["space"] == "registers"]
        of_matrix = {n for op in self.schedule["dataflow"]["ops"] if op["completion"] == "matrix_group" for n in op["writes"] + op["updates"] + [r["value"] for r in op["reads"]]}
        lines = [f"{own} {{ u64 *mbarriers; unsigned char *shared; const unsigned char *in; unsigned char *out, *idle; int instance, thread;",
                 *(f"    float {n}[{self.values[n]['slots']}][4];" for n in registers), "};"]
        ops = {}
        for op in self.schedule["dataflow"]["ops"]:
            if f"{p}_{op['op']}(" not in header:
                continue
            parameters, statements = self.body(op)
            ops[op["op"]] = parameters
            typed = ", ".join(("u64 *" if q == "mbarrier" else "int ") + q for q in parameters)
            lines.append(f"static __device__ __forceinline__ void {p.lower()}_{op['op']}({own} *k{', ' * bool(typed)}{typed}) {{ "
                         + " ".join(statements) + " }")
        kept = ", ".join(f'"+f"(k->{n}[{s}][{i}])' for n in registers if n in of_matrix for s in range(self.values[n]["slots"]) for i in range(4))
        lines.append(f"static __device__ __forceinline__ void {p.lower()}_keep({own} *k) {{ asm volatile(\"\" : {kept} :: \"memory\"); }}" if kept else
                     f"static __device__ __forceinline__ void {p.lower()}_keep({own} *) {{}}")
        lines += [f"#define {p}_KEEP(k) {p.lower()}_keep(k)", f"#define {p}_MBARRIERS(k) ((k)->mbarriers)"]
        for name, parameters in ops.items():
            words = ", ".join(parameters)
            lines.append(f"#define {p}_{name}(k, i{', ' * bool(words)}{words}) {p.lower()}_{name}(k{', ' * bool(words)}{words})")
        lines.append(f'#include "{p}.h"')
        runs = "\n".join(f"    {'else ' if i else ''}if ({p}_ROLE_OF(warp) == {p}_ROLE_{r['name'].upper()}) {{ k.thread = threadIdx.x - 32 * ({p}_FIRST_WARP_{r['name'].upper()}"
                         f" + {r['warps']} * k.instance); {p}_ENTER_{r['name'].upper()}(&k); {p}_RUN_{r['name'].upper()}(&k, k.instance, n_tiles); {self.ends(r)} }}"
                         for i, r in enumerate(self.schedule["roles"]))
        lines.append(f"""extern "C" __global__ void __launch_bounds__({p}_THREADS, 1) kernel_{p.lower()}(const unsigned char *in, unsigned char *out, float *sums, int n_tiles)
{{
    extern __shared__ __align__(1024) unsigned char shared[];
    u64 *const mbarriers = reinterpret_cast<u64 *>(shared + {self.size + IDLE_BYTES});
    const int warp = SWP_WARP();
    {own} k = {{mbarriers, shared, in, out, shared + {self.size}, {p}_INSTANCE_OF(warp), 0}};
    {p}_INIT(&k);
{runs}
}}""")
        return "\n".join(lines) + "\n"

    def ends(self, role):
        """What stays in registers is looked at, so that nvcc keeps what makes it."""
        mine = [n for n, v in self.values.items() if v["space"] == "registers" and self.is_made_by(n, role)]
        return " ".join(f"sums[k.thread * 4 + {i}] += k.{n}[{s}][{i}];" for n in mine for s in range(self.values[n]["slots"]) for i in range(4))


# ---- The steps ----


def hazard_name(hazard):
    return ":".join([hazard["kind"], *([hazard["role"]] if hazard["role"] else []), hazard["list"], str(hazard["entry"])])


def is_left_out(hazards):
    """Whether the PTX can't show them."""
    kinds = set(hazards)
    return bool(kinds & OF_ITERATIONS) or bool(kinds) and kinds <= OF_REGISTERS


def code_of(header, prefix):
    """Of a header, without what it says of its schedule: which phase an arrival at the only slot of an object is for, code does not say."""
    return re.sub(r"/\*.*?\*/", "", header, flags=re.S).replace(prefix, "P").replace(prefix.lower(), "p")


def made_case(folder, prefix, schedule, kind, what, whole=None):
    """Writes PREFIX.h and PREFIX.part; None: swp refuses the schedule, has no header of it, the PTX can't show its hazard, or the code is
    that of the whole loop."""
    file = folder / f"{prefix}.json"
    file.write_text(json.dumps(schedule), encoding="utf-8")
    verdict = run_swp("verify", file, "--format", "json")
    if verdict.returncode not in (0, 1) or not verdict.stdout:
        return None
    report = json.loads(verdict.stdout)
    if is_left_out(h["kind"] for h in report["hazards"]):
        return None
    accepts = [word for h in report["hazards"] for word in ("--accept", hazard_name(h))]
    header = run_swp("emit", file, "--format", "c", "--prefix", prefix, *accepts)
    if header.returncode != 0 or code_of(header.stdout, prefix) == whole:
        return None
    (folder / f"{prefix}.h").write_text(header.stdout, encoding="utf-8")
    kernel = Kernel(schedule, prefix)
    (folder / f"{prefix}.part").write_text(kernel.text(header.stdout), encoding="utf-8")
    return {"name": prefix, "kind": kind, "what": what, "safe": report["safe"], "shared": kernel.size + IDLE_BYTES + MBARRIER_BYTES,
            "hazards": sorted({h["kind"] for h in report["hazards"]}), "least": [h["smallest_n"] for h in report["hazards"]][:1]}


def cases_of_loop(folder, seed, number, kinds):
    """The loop itself, and edits: two more of each of the first kinds, if it allows that, and then one of each in turn."""
    r = random.Random(f"agreement {seed}")
    loop, target = default_answers.roles_loop(r)
    file = folder / f"L{seed}.json"
    done = run_swp("compile", "-", "--format", "json", "-o", file, "--work-limit", "1s", text=default_answers.text_of(f"l{seed}", loop, target))
    if done.returncode != 0:
        return []
    schedule = json.loads(file.read_text(encoding="utf-8"))
    made = [made_case(folder, f"L{seed}_0", schedule, "none", "")]
    whole = code_of((folder / f"L{seed}_0.h").read_text(encoding="utf-8"), f"L{seed}_0") if made[0] else None
    every = list(edits.edits(schedule))
    r.shuffle(every)
    left = {kind: [edit for edit in every if edit[0] == kind] for kind in kinds}
    chosen = [left[kind].pop() for kind in kinds[:RAREST] * 2 + kinds * len(every) if left[kind]]
    for tried, (kind, what, edited) in enumerate(chosen[:3 * number], 1):
        case = made_case(folder, f"L{seed}_{tried}", edited, kind, what, whole)
        made += [case] if case else []
        if len(made) > number:
            break
    return [case for case in made if case]


def make(folder, arguments, pool):
    found, counts = [], collections.Counter()
    for first in range(arguments.seed, arguments.seed + arguments.loops, LOOPS_A_ROUND):
        seeds = range(first, min(first + LOOPS_A_ROUND, arguments.seed + arguments.loops))
        kinds = sorted(RARE_FIRST, key=lambda kind: counts[kind])
        for cases in pool.map(cases_of_loop, repeat(folder), seeds, repeat(arguments.edits), repeat(kinds)):
            found += cases
            counts.update(case["kind"] for case in cases)
    for i in range(0, len(found), KERNELS_A_FILE):
        some = found[i:i + KERNELS_A_FILE]
        parts = [(folder / f"{case['name']}.part").read_text(encoding="utf-8") for case in some]
        (folder / f"{i // KERNELS_A_FILE:04}.cu").write_text(COMMON + "\n".join(parts), encoding="utf-8")
        for case in some:
            case["file"] = f"{i // KERNELS_A_FILE:04}"
    for part in folder.glob("*.part"):
        part.unlink()
    (folder / "cases.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    print(f"{len(found)} cases, {sum(not case['safe'] for case in found)} unsafe: " + ", ".join(f"{kind} {count}" for kind, count in sorted(counts.items())))


def compiled(source):
    done = subprocess.run([NVCC, "-std=c++17", "-O3", "-ptx", "-arch=sm_90a", "-o", source.with_suffix(".ptx"), source], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        print(f"{source}: {done.stderr[:2000]}", file=sys.stderr)
    return done.returncode


def compile_all(folder, pool):
    print(f"{sum(map(bool, pool.map(compiled, sorted(folder.glob('*.cu')))))} files do not compile")


def kernel_alone(ptx, name):
    """The file with that kernel alone."""
    head = ptx[:ptx.index(".visible .entry")]
    found = re.search(rf"\.visible \.entry kernel_{name.lower()}\(.*?\n}}\n", ptx, re.S)
    variables = re.findall(rf"^.*\.shared .*kernel_{name.lower()}.*$", ptx[len(head):], re.M)
    return head + "\n".join(v for v in variables if v not in found[0]) + "\n" + found[0] if found else None


def judged(folder, case, texts):
    text = kernel_alone(texts[case["file"]], case["name"])
    if text is None:
        return None
    file = folder / f"{case['name']}.ptx"
    file.write_text(text, encoding="utf-8")
    limited = ["sh", "-c", f'ulimit -t {AUDIT_SECONDS}; exec "$@"', "sh", SWP]
    with subprocess.Popen([*limited, "audit", file, "--format", "json", "--no-cache", "--shared", str(case["shared"])],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as audit:
        said, wrong = audit.stdout.read(), audit.stderr.read()
        _, status, used = os.wait4(audit.pid, 0)
        audit.returncode = os.waitstatus_to_exitcode(status)
    case["seconds"] = used.ru_utime + used.ru_stime
    if audit.returncode < 0:
        return {"answer": "unknown", "findings": [], "why": "time"}
    try:
        return json.loads(said)
    except ValueError:
        return {"answer": "refused", "findings": [], "why": wrong.decode()[:300]}


def together(case, report):
    """How the two answers go together."""
    answer = report["answer"]
    if is_left_out(case["hazards"]):
        return "left out"
    if answer == ("no_fault" if case["safe"] else "fault"):
        return "agree"
    return "unknown" if answer in ("unknown", "refused") else "opposite"


def judge(folder, pool):
    cases = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    texts = {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("[0-9]*.ptx")}
    cases = [case for case in cases if case["file"] in texts]
    tally, by_kind = collections.Counter(), collections.defaultdict(collections.Counter)
    for case, report in zip(cases, pool.map(lambda case: judged(folder, case, texts), cases)):
        if report is None:
            continue
        how = together(case, report)
        tally[how] += 1
        by_kind[case["kind"]][("safe" if case["safe"] else "unsafe", how)] += 1
        if how in ("opposite", "unknown"):
            said = "; ".join(f"{f['kind']}: {f['detail']}" for f in report["findings"])[:200] or report.get("why", "")
            why = "; ".join(note["why"] for note in report.get("unknown_instructions", []))[:200]
            print(f"{how}: {case['name']} {case['kind']} {case['what']}: verify {case['hazards'] or 'safe'} {case['least']}, "
                  f"audit {report['answer']} {said} {why}", flush=True)
    print()
    for kind, counts in sorted(by_kind.items()):
        print(f"{kind:10} " + ", ".join(f"{verdict} {how} {count}" for (verdict, how), count in sorted(counts.items())))
    seconds = sorted(case["seconds"] for case in cases if "seconds" in case)
    print(f"seconds of an audit: median {statistics.median(seconds):.2f}, of 95 in 100 up to {seconds[len(seconds) * 95 // 100]:.2f}, at most {seconds[-1]:.2f}")
    unsafe = sum(not case["safe"] for case in cases)
    print(f"{len(cases)} cases, {unsafe} unsafe: " + ", ".join(f"{how} {count}" for how, count in sorted(tally.items())))
    return tally["opposite"] > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--loops", type=int, default=20)
    parser.add_argument("--edits", type=int, default=7, help="of each loop")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--steps", default="make,compile,judge")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        steps = arguments.steps.split(",")
        if "make" in steps:
            make(arguments.folder, arguments, pool)
        if "compile" in steps:
            compile_all(arguments.folder, pool)
        return judge(arguments.folder, pool) if "judge" in steps else 0


if __name__ == "__main__":
    sys.exit(main())
