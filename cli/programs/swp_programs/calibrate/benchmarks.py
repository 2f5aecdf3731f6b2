# SPDX-License-Identifier: Apache-2.0
"""Writes the microbenchmarks of a target, in CUDA or HIP, and the script that builds and runs them."""
import itertools
import pathlib
import re

from ..common.files import write_out
from ..common.refusal import Refused
from .instructions import COPY, OPS
from .instructions_amd import AMD_OPS
from .measurements import identifier, measurements_of
from .targets import AMD, ARCHITECTURES, has

HERE = pathlib.Path(__file__).resolve().parent
NEVER_RAN = "no AMD GPU was at hand: these benchmarks have been compiled, and have never run"


def results_of(members):
    """All registers of the members, so that the compiler keeps what is measured."""
    for kind, name, dimensions in re.findall(r"(float|unsigned) (?!long)(\w+)((?:\[\d+\])*)", members):
        sizes = [range(int(size)) for size in re.findall(r"\d+", dimensions)]
        for index in itertools.product(*sizes):
            element = name + "".join(f"[{i}]" for i in index)
            yield f"__float_as_uint({element})" if kind == "float" else element


def op_struct(op):
    _, warps, members, before, step, count, behind = OPS[op]
    is_issue = op == "cp_async"  # a few of them, until they have been issued
    rounds = 1 if is_issue else 256
    return f"""struct {identifier(op)} {{
    enum {{ COUNT = {count}, IS_ISSUE = {int(is_issue)}, ROUNDS = {rounds}, THREADS = {max(4, *warps) * 32} }};
    unsigned shared;
    const char *from;
    int thread, lane;
    {members}
    __device__ __forceinline__ void begin(unsigned at, const char *global, int number)
    {{
        shared = at, from = global, thread = number, lane = number % 32;
        {before}
    }}
    __device__ __forceinline__ void step() {{ {step} }}
    __device__ __forceinline__ void end() {{ {behind} }}
    __device__ __forceinline__ unsigned result() const {{ return {" ^ ".join(results_of(members)) or "0"}; }}
}};
"""


def amd_struct(op):
    _, members, step, count, behind = AMD_OPS[op]
    return f"""struct {identifier(op)} {{
    enum {{ COUNT = {count} }};
    unsigned shared;
    const char *from;
    int lane;
    {members}
    __device__ explicit {identifier(op)}(const char *memory) : shared(0), from(memory), lane(number_of_lane() % 64) {{}}
    __device__ void step() {{ {step} }}
    __device__ void end() {{ {behind} }}
}};
"""


def filled(template, **words):
    text = (HERE / template).read_text(encoding="utf-8")
    for name, word in words.items():
        text = text.replace(f"@{name}@", word)
    return text


def source_of(architecture):
    rows = "".join(f'    {{"{name}", [](const char *name) {{ {call}; }}}},\n' for name, call in measurements_of(architecture))
    if architecture in AMD:
        return filled("hip/microbenchmarks.hip.in", OPS="\n".join(amd_struct(op) for op in AMD_OPS), ROWS=rows)
    structs = "\n".join(op_struct(op) for op, row in OPS.items() if has(architecture, row[0]))
    return filled("cuda/microbenchmarks.cu.in", HAS_BULK=str(int(has(architecture, "sm_90"))), COPY=str(COPY), OPS=structs, ROWS=rows)


def script_of(architecture):
    if architecture in AMD:
        return filled("hip/run.sh.in", ARCHITECTURE=AMD[architecture], TARGET=architecture)
    return filled("cuda/run.sh.in", ARCHITECTURE=ARCHITECTURES[architecture], TARGET=architecture)


def make_folder(path):
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise Refused(f"{path} is no folder", "-o names the folder that the benchmarks go to") from error
    except OSError as error:
        raise Refused(f"the folder {path} cannot be made: {error.strerror}") from error


def write_benchmarks(architecture, folder):
    if architecture not in (*ARCHITECTURES, *AMD):
        raise Refused(f"there are no microbenchmarks for `{architecture}`", "one of " + ", ".join((*ARCHITECTURES, *AMD)))
    make_folder(folder)
    is_amd = architecture in AMD
    write_out(folder / ("microbenchmarks.hip" if is_amd else "microbenchmarks.cu"), source_of(architecture))
    run = folder / "run.sh"
    write_out(run, script_of(architecture))
    run.chmod(0o755)
    print(f"{sum(1 for _ in measurements_of(architecture))} measurements in {folder}: run {run} where the GPU is")
    if is_amd:
        print(NEVER_RAN)
