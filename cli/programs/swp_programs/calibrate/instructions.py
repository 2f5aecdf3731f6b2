# SPDX-License-Identifier: Apache-2.0
"""The table of what is measured of NVIDIA's machines: instructions, two of them side by side, and copies of bytes."""

MANY = (1, 2, 4, 8, 16)  # numbers of warps
COPY = 32 << 10  # bytes of a tile


def repeated(count, text):
    return " ".join(text.replace("#", str(i)) for i in range(count))


def mma_sync(accumulators):
    return repeated(accumulators, 'asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},'
                                  ' {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : "+f"(d[#][0]), "+f"(d[#][1]), "+f"(d[#][2]),'
                                  ' "+f"(d[#][3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));')


def ldmatrix(result, address):
    return ('asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[' + result + '][0]),'
            ' "=r"(r[' + result + '][1]), "=r"(r[' + result + '][2]), "=r"(r[' + result + '][3]) : "r"(' + address + '));')


def wgmma(kind, columns, depth, part=0):
    """Of slice `part` of K, 32 bytes of a row."""
    registers = columns // 2
    names = ",".join(f"%{i}" for i in range(registers))
    scales = ", 0, 0" if kind == "bf16" else ""
    return (f'asm volatile("wgmma.mma_async.sync.aligned.m64n{columns}k{depth}.f32.{kind}.{kind} {{{names}}}, %{registers},'
            f' %{registers}, 1, 1, 1{scales};" : ' + ", ".join(f'"+f"(d[{i}])' for i in range(registers)) + f' : "l"(tile + {2 * part}));')


FENCE_WGMMA = 'asm volatile("wgmma.fence.sync.aligned;" ::: "memory");'
COMMIT_WGMMA = 'asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");'
TRY_WAIT = ('asm volatile("{ .reg .pred done; again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1; @!done bra again; }"'
            ' :: "r"({at}), "r"({parity}) : "memory");').replace("again", "again%=")
ARRIVE = ('if (lane == 0) asm volatile("{{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }}" :: "r"({at}) : "memory");')
INIT = 'if (thread == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"({at}), "r"({count}));'


def wait(at, parity):
    return TRY_WAIT.replace("{at}", at).replace("{parity}", parity)


def arrive(at):
    return ARRIVE.format(at=at)


def init(at, count):
    return INIT.format(at=at, count=count)


CP_ASYNC = 'asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(shared + lane * 16), "l"(from + lane * 16) : "memory");'
# Two numbers of bf16 a register, below 2: zeros take less power, and no registers.
CHANCE = "[#] = (unsigned(thread + # * 512) * 2654435761u) & 0xbfffbfff;"
OF_CHANCE = repeated(4, "a" + CHANCE) + " " + repeated(2, "b" + CHANCE.replace("thread", "~thread"))

FMA = 'asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[#]) : "f"(a), "f"(b));'
# Where a load is from follows from what the one before it has brought, or ptxas leaves it out.
FIRST = "a[#] = shared + lane * 16 + # * 512;"
USE = " h ^= r[#][1] ^ r[#][2] ^ r[#][3]; a[#] = r[#][0] + lane * 16 + # * 512;"

# Of each: what a step of a loop does, and how often it does the instruction.
# NAME: (least architecture, numbers of warps, members, before, step, instructions of a step, behind)
OPS = {
    "fma_chain": ("sm_80", (1,), "float x = 0, a, b;", "a = lane, b = thread;", FMA.replace("x[#]", "x"), 1, ""),
    "fma": ("sm_80", MANY, "float x[8] = {}, a, b;", "a = lane, b = thread;", repeated(8, FMA), 8, ""),
    "exp_chain": ("sm_80", (1,), "float x = 0;", "", 'asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));', 1, ""),
    "exp": ("sm_80", MANY, "float x[8] = {};", "",
            repeated(8, 'asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[#]));'), 8, ""),
    "mma_sync_chain": ("sm_80", (1,), "float d[1][4] = {}; unsigned a[4], b[2];", OF_CHANCE, mma_sync(1), 1, ""),
    "mma_sync": ("sm_80", MANY, "float d[4][4] = {}; unsigned a[4], b[2];", OF_CHANCE, mma_sync(4), 4, ""),
    "ldmatrix_chain": ("sm_80", (1,), "unsigned r[1][4];", "r[0][0] = shared;", ldmatrix("0", "r[0][0]"), 1, ""),
    "ldmatrix": ("sm_80", MANY, "unsigned r[4][4]; unsigned a[4]; unsigned h = 0;", repeated(4, FIRST), repeated(4, ldmatrix("#", "a[#]") + USE), 4, ""),
    "ld_shared_chain": ("sm_80", (1,), "unsigned r;", "r = shared;",
                        'asm volatile("ld.shared.u32 %0, [%0];" : "+r"(r));', 1, ""),
    "ld_shared": ("sm_80", MANY, "unsigned r[4][4]; unsigned a[4]; unsigned h = 0;", repeated(4, FIRST),
                  repeated(4, 'asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(r[#][0]), "=r"(r[#][1]), "=r"(r[#][2]),'
                              ' "=r"(r[#][3]) : "r"(a[#]));' + USE), 4, ""),
    "st_shared": ("sm_80", MANY, "unsigned zero = 0;", "",
                  repeated(4, 'asm volatile("st.shared.v4.u32 [%1], {%0,%0,%0,%0};" :: "r"(zero),'
                              ' "r"(shared + 16384 + lane * 16 + # * 512) : "memory");'), 4, ""),
    "cp_async_chain": ("sm_80", (1,), "", "", CP_ASYNC + ' asm volatile("cp.async.wait_all;" ::: "memory");', 1, ""),
    "cp_async": ("sm_80", (1,), "", "", CP_ASYNC, 1, 'asm volatile("cp.async.wait_all;" ::: "memory");'),
    "wait_group": ("sm_80", (1,), "", "", 'asm volatile("cp.async.wait_group 0;" ::: "memory");', 1, ""),
    "arrive": ("sm_80", (1,), "", init("shared + 16384", "(1 << 20) - 1"), arrive("shared + 16384"), 1, ""),
    "signal": ("sm_90", (2,), "unsigned turn = 0;",
               init("shared + 16384", "1") + init("shared + 16392", "1") + "__syncthreads();",
               "if (thread < 32) {" + arrive("shared + 16384") + wait("shared + 16392", "turn") + "} else {"
               + wait("shared + 16384", "turn") + arrive("shared + 16392") + "} turn ^= 1;", 2, ""),
    "try_wait": ("sm_90", (1,), "", init("shared + 16384", "1") + "__syncthreads();" + arrive("shared + 16384"),
                 wait("shared + 16384", "0"), 1, ""),
    "bar_sync": ("sm_80", (4, 8, 16), "", "", 'asm volatile("bar.sync 0;" ::: "memory");', 1, ""),
    "fence_async": ("sm_90", (1,), "", "", 'asm volatile("fence.proxy.async.shared::cta;" ::: "memory");', 1, ""),
    "wgmma_wait": ("sm_90", (4,), "", "", 'asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");', 1, ""),
}
WAIT_WGMMA = 'asm volatile("wgmma.wait_group.sync.aligned {n};" ::: "memory");'
TILE = "tile = (unsigned long long)(shared >> 4) | 1ull << 16 | 64ull << 32 | 1ull << 62;"
for KIND, DEPTH in (("bf16", 16), ("e4m3", 32)):
    for COLUMNS in (64, 128, 256):
        ONE = wgmma(KIND, COLUMNS, DEPTH)
        FOUR = "".join(wgmma(KIND, COLUMNS, DEPTH, part) for part in range(4))  # along the 128 bytes of a row
        DECLARED = f"float d[{COLUMNS // 2}] = {{}}; unsigned long long tile;"
        LAST = WAIT_WGMMA.format(n=0)
        OPS[f"wgmma_{KIND}_{COLUMNS}_chain"] = ("sm_90", (4,), DECLARED, TILE, FENCE_WGMMA + ONE + COMMIT_WGMMA + LAST, 1, "")
        OPS[f"wgmma_{KIND}_{COLUMNS}"] = ("sm_90", (4, 8), DECLARED, TILE,
                                          FENCE_WGMMA + FOUR + COMMIT_WGMMA + WAIT_WGMMA.format(n=1), 4, LAST)

# Two of them side by side, four warps each: those that share a unit take as long as one after the other.
PAIRS = (("fma", "exp"), ("fma", "mma_sync"), ("exp", "mma_sync"), ("ldmatrix", "ld_shared"), ("ldmatrix", "mma_sync"),
         ("fma", "wgmma_bf16_128"), ("exp", "wgmma_bf16_128"), ("ldmatrix", "wgmma_bf16_128"),
         ("wgmma_bf16_128", "wgmma_e4m3_128"))

# Copies of bytes: NAME: (least architecture, call)
COPIES = {
    "bulk_latency": ("sm_90", "measure_latency(name, 1 << 10, false)"),
    "bulk_latency_memory": ("sm_90", "measure_latency(name, 1 << 10, true)"),
    "bulk_one": ("sm_90", "measure_stream(name, false, 1, 1)"),
    "bulk_all": ("sm_90", "measure_stream(name, false, 0, 1)"),
    "bulk_all_shared": ("sm_90", "measure_stream(name, false, 0, SHARING)"),
    "bulk_all_memory": ("sm_90", "measure_stream(name, true, 0, 1)"),
    "bulk_all_beside_wgmma": ("sm_90", "measure_loaded_stream<op_wgmma_bf16_256, RING>(name, false, 1)"),
    "bulk_shared_beside_wgmma": ("sm_90", "measure_loaded_stream<op_wgmma_bf16_256, RING>(name, true, SHARING)"),
    "bulk_halves_beside_wgmma": ("sm_90", "measure_loaded_stream<op_wgmma_bf16_256, RING, 2>(name, true, SHARING)"),
    "bulk_l2_turns_beside_wgmma": ("sm_90", "measure_loaded_stream<op_wgmma_bf16_256, 1>(name, false, SHARING)"),
    "copy_shared_beside_mma_sync": ("sm_80", "measure_loaded_copies<op_mma_sync, RING>(name)"),
    "copy_turns_beside_mma_sync": ("sm_80", "measure_loaded_copies<op_mma_sync, 1>(name)"),
}
