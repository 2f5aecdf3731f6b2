# SPDX-License-Identifier: Apache-2.0
"""All findings of a kernel in one run, each once: what is told behind the first one, and what is one fault in several copies."""

import re

from checks import audit, check, replace
from snippets import COPIES, RING, STORES

HEAD = """.version 8.0
.target sm_90a
.address_size 64
"""

# Two buffers of 512 bytes: each thread stores to one of them, then reads its neighbour's word, and so on with the other.
KERNEL = """.visible .entry {name}(.param .u64 out)
.maxntid 128, 1, 1
{{
    .reg .b32 %r<20>;
    .reg .f32 %f<20>;
    .reg .b64 %rd<4>;
    .shared .align 16 .b8 first[512];
    .shared .align 16 .b8 second[512];
    mov.u32 %r1, %tid.x;
    add.u32 %r2, %r1, 32;
    and.b32 %r2, %r2, 127;
    shl.b32 %r3, %r1, 2;
    shl.b32 %r4, %r2, 2;
    mov.u32 %r5, first;
    add.u32 %r6, %r5, %r3;
    add.u32 %r7, %r5, %r4;
    mov.u32 %r8, second;
    add.u32 %r9, %r8, %r3;
    add.u32 %r10, %r8, %r4;
    mov.f32 %f1, 0f3F800000;
{body}    ret;
}}
"""

STORE_FIRST = "    st.shared.f32 [%r6], %f1;\n"
LOAD_FIRST = "    ld.shared.f32 %f2, [%r7];\n"
STORE_SECOND = "    st.shared.f32 [%r9], %f1;\n"
LOAD_SECOND = "    ld.shared.f32 %f3, [%r10];\n"
BARRIER = "    bar.sync 0;\n"


def kernel(body, name="k"):
    return HEAD + KERNEL.format(name=name, body=body)


def report(text, *options):
    status, out = audit(text, *options)
    return status, out if isinstance(out, dict) else {"findings": [], "said": out}


def line_of(text, what, number=0):
    return [n for n, line in enumerate(text.splitlines(), 1) if line.strip() == what.strip()][number]


def pairs(out):
    return [(f["kind"], f["at"]["line"], f["other"] and f["other"]["line"]) for f in out["findings"]]


def check_behind_the_first():
    """A missing barrier behind another one is told with it, and is alone once the first one stands."""
    both = kernel(STORE_FIRST + LOAD_FIRST + STORE_SECOND + LOAD_SECOND)
    mended = kernel(STORE_FIRST + BARRIER + LOAD_FIRST + STORE_SECOND + LOAD_SECOND)
    first = ("stale_read", line_of(both, LOAD_FIRST), line_of(both, STORE_FIRST))
    second = ("stale_read", line_of(both, LOAD_SECOND), line_of(both, STORE_SECOND))
    status, out = report(both)
    check(status == 1 and sorted(pairs(out)) == [first, second], f"two missing barriers: {out}")
    _, out = report(both, "--first")
    check(len(out["findings"]) == 1 and set(pairs(out)[0][1:]) == set(first[1:]), f"two missing barriers, --first: {pairs(out)}")
    _, out = report(mended)
    check(pairs(out) == [("stale_read", second[1] + 1, second[2] + 1)], f"one is mended: {pairs(out)}")
    status, out = report(kernel(STORE_FIRST + STORE_SECOND + BARRIER + LOAD_FIRST + LOAD_SECOND))
    check(status == 0 and not out["findings"], f"a barrier for both: {out}")


def check_certain_first():
    """Findings that are not certain stand behind those that are."""
    unsure = ("    mov.u32 %r11, first;\n    cvt.rn.f32.u32 %f4, %r1;\n    ld.param.u64 %rd1, [out];\n    ld.global.f32 %f5, [%rd1];\n"
              "    st.shared.f32 [%r11], %f5;\n")
    text = kernel(unsure + BARRIER + STORE_SECOND + LOAD_SECOND)
    _, out = report(text)
    check([f["certain"] for f in out["findings"]] == [True, False], f"sorted by certainty: {out['findings']}")
    check(out["answer"] == "fault", f"sorted by certainty: {out['answer']}")


def check_copies():
    """The same loop body three times over, as unrolling makes it, has one fault."""
    body = STORE_FIRST + LOAD_FIRST + BARRIER
    text = kernel(body * 3)
    _, out = report(text)
    want = [(line_of(text, LOAD_FIRST, n), line_of(text, STORE_FIRST, n)) for n in (1, 2)]
    check(len(out["findings"]) == 1, f"three copies: {pairs(out)}")
    also = [(pair["at"]["line"], pair["other"]["line"]) for pair in out["findings"][0]["also"]]
    check(also == want, f"three copies: also {also}, wanted {want}")


def check_not_copies():
    """Instructions of one name that stand beside each other are different ones."""
    text = kernel(STORE_FIRST + STORE_SECOND + LOAD_FIRST + LOAD_SECOND)
    _, out = report(text)
    check(len(out["findings"]) == 2, f"two loads side by side: {pairs(out)}")


def check_instances():
    """Instances of a template have one fault; kernels with other names have each their own."""
    body = STORE_FIRST + LOAD_FIRST
    both = HEAD + KERNEL.format(name="_Z4sumsILi1EEvPf", body=body) + KERNEL.format(name="_Z4sumsILi2EEvPf", body=body)
    _, out = report(both)
    check(len(out["findings"]) == 1 and len(out["findings"][0]["also"]) == 1, f"two instances: {pairs(out)}")
    check([k["name"] for k in out["kernels"]] == ["sums<1>", "sums<2>"], f"two instances: {out['kernels']}")
    check([k["answer"] for k in out["kernels"]] == ["fault", "fault"], f"two instances: {out['kernels']}")
    check([k["faults"] for k in out["kernels"]] == [1, 1], f"two instances: {out['kernels']}")
    apart = HEAD + KERNEL.format(name="_Z4sumsILi1EEvPf", body=body) + KERNEL.format(name="_Z4norm_fPf", body=body)
    _, out = report(apart)
    check(len(out["findings"]) == 2, f"two kernels: {pairs(out)}")
    good = HEAD + KERNEL.format(name="good", body=STORE_FIRST) + KERNEL.format(name="bad", body=body)
    _, out = report(good)
    check([k["answer"] for k in out["kernels"]] == ["no_fault", "fault"], f"one of two kernels: {out['kernels']}")
    check(out["answer"] == "fault" and out["findings"][0]["kernel"] == 1, f"one of two kernels: {out['findings']}")


def check_sources():
    """`.loc` says which source lines an instruction has, also in functions that were inlined in one another."""
    text = kernel("    .loc 1 5 3\n" + STORE_FIRST + "    .loc 1 6 3\n    .loc 2 30 1, function_name $L, inlined_at 1 6 3\n"
                  "    .loc 2 40 1, function_name $L, inlined_at 2 30 1\n" + LOAD_FIRST)
    text += '.file 1 "loop.cu"\n.file 2 "tools.cuh", 1700000000, 99\n'
    _, out = report(text)
    at, other = out["findings"][0]["at"], out["findings"][0]["other"]
    check(at.get("source") == {"file": "tools.cuh", "line": 40}, f"inlined: {at}")
    check(at.get("caller") == {"file": "loop.cu", "line": 6}, f"inlined: {at}")
    check(other.get("source") == {"file": "loop.cu", "line": 5} and other.get("caller") is None, f"not inlined: {other}")
    _, out = report(kernel("    .loc 1 5 3\n" + STORE_FIRST + LOAD_FIRST))
    check("source" not in out["findings"][0]["at"], f"no .file: {out['findings'][0]['at']}")


def check_sources_make_one():
    """Copies of one source line are one fault, whatever stands around them."""
    text = kernel("    .loc 1 5 3\n" + STORE_FIRST + "    .loc 1 6 3\n" + LOAD_FIRST + BARRIER + "    .loc 1 7 3\n" + STORE_SECOND + BARRIER
                  + "    .loc 1 5 3\n" + STORE_SECOND + STORE_FIRST + "    .loc 1 6 3\n" + LOAD_FIRST) + '.file 1 "loop.cu"\n'
    _, out = report(text)
    check(len(out["findings"]) == 1 and len(out["findings"][0]["also"]) == 1, f"one source line: {pairs(out)}")


def check_threads():
    """Who executes the two is told: the warps, and lane 0 where it is alone."""
    lane_0 = "    and.b32 %r11, %r1, 31;\n    setp.eq.u32 %p1, %r11, 0;\n    @%p1 st.shared.f32 [%r6], %f1;\n"
    text = kernel(lane_0 + LOAD_FIRST).replace(".reg .b32 %r<20>;", ".reg .b32 %r<20>;\n    .reg .pred %p<4>;")
    _, out = report(text)
    store, load = line_of(text, "@%p1 st.shared.f32 [%r6], %f1;"), line_of(text, LOAD_FIRST)
    words = f"line {store} is by warps 0 to 3 (lane 0), line {load} by warps 0 to 3"
    check(words in out["findings"][0]["detail"], f"threads: {out['findings']}")
    hint = f"between lines {store} and {load}: __syncthreads() (bar.sync)"
    check(out["findings"][0]["hint"] == hint, f"what is to be inserted where: {out['findings']}")
    wait = "    mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r5], 0;\n"
    text = kernel("    setp.eq.u32 %p1, %r1, 0;\n    @%p1 mbarrier.init.shared::cta.b64 [%r5], 1;\n" + BARRIER + "    setp.gt.u32 %p1, %r1, 63;\n    @%p1 bra $end;\n$wait:\n"
                  + wait + "    @!%p2 bra $wait;\n$end:\n").replace(".reg .b32 %r<20>;", ".reg .b32 %r<20>;\n    .reg .pred %p<4>;")
    _, out = report(text)
    words = f"line {line_of(text, wait)} is by warps 0 to 1"
    check([f["kind"] for f in out["findings"]] == ["deadlock"] and words in out["findings"][0]["detail"], f"who waits for ever: {out['findings']}")


# what is replaced in a kernel, by what, the hazard, what its detail says, and its hint
NUMBERS = {
    "two waits for each other": (RING, "    mbarrier.arrive.shared::cta.b64 _, [%r14+16];\n", "", "deadlock",
                                 r"these wait for ever.*line \d+: 0 of 1 arrival has come; line \d+: 0 of 1 arrival has come;.* is by warp 4 \(lane 0\), .* by warps 0 to 3", ""),
    "one arrival is missing": (RING, "[%r4], 1;", "[%r4], 2;", "deadlock", "this waits for ever.*: 1 of 2 arrivals have come, and the copies of tensor maps are to bring 8192 bytes", ""),
    "bytes that no copy can bring": (RING, "[%r14], 8192;", "[%r14], 8200;", "arrivals", "1 of 1 arrival has come, and the copies of tensor maps are to bring 8200 bytes", ""),
    "a barrier of more threads than come": (STORES, "bar.sync 1, 128;\n    @%p1 bra $next", "bar.sync 1, 96;\n    @%p1 bra $next", "deadlock", ": 32 of 96 threads have come", ""),
    "as many groups as may be left": (COPIES, "cp.async.wait_group 1;", "cp.async.wait_group 2;", "stale_read", "", "cp.async.wait_group 1, or less, .*belongs behind it"),
    "no group of wgmmas may be left": (RING, "wait_group.sync.aligned 0;", "wait_group.sync.aligned 1;", "overwritten", "", "wgmma.wait_group 0, then"),
    "no bulk store may be left": (STORES, "cp.async.bulk.wait_group.read 0;\n$free", "$free", "overwritten", "", "wait_group.read 0, in"),
}


def check_numbers():
    """How many arrivals, bytes and threads have come of those that are waited for, and how many groups a wait may leave."""
    for name, (kernel, old, new, kind, detail, hint) in NUMBERS.items():
        _, report = audit(replace(kernel, old, new))
        found = [f for f in report["findings"] if f["kind"] == kind] if check(isinstance(report, dict), f"{name}: {report}") else []
        if check(found, f"{name}: no {kind}"):
            check(any(re.search(detail, f["detail"]) for f in found), f"{name}: {[f['detail'] for f in found]}")
            check(any(re.search(hint, f["hint"]) for f in found), f"{name}: {[f['hint'] for f in found]}")


def check_findings():
    for part in (check_threads, check_numbers, check_behind_the_first, check_certain_first, check_copies, check_not_copies, check_instances,
                 check_sources, check_sources_make_one):
        part()
