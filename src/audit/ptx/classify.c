/* SPDX-License-Identifier: Apache-2.0 */
/* What the name of a PTX instruction says: its kind, its types, whether it writes registers. */
#include "audit/ptx/fragments.h"
#include "audit/ptx/ptx.h"

#include "base/names.h"

#include <string.h>

/*
 * Of several rows that fit the first one counts. A row fits a name of the same first part that has its others, too: ptxas takes
 * qualifiers in many orders.
 */
static const struct {
    const char *name;
    swp_ptx_kind kind;
    bool has_results;
} rows[] = {
    {"mov", SWP_PTX_MOVE, true},
    {"add.cc", SWP_PTX_OPAQUE, true},
    {"add.sat", SWP_PTX_OPAQUE, true},
    {"sub.cc", SWP_PTX_OPAQUE, true},
    {"sub.sat", SWP_PTX_OPAQUE, true},
    {"add", SWP_PTX_ADD, true},
    {"sub", SWP_PTX_SUB, true},
    {"mul", SWP_PTX_MUL, true},
    {"mad.lo.cc", SWP_PTX_OPAQUE, true},
    {"mad.hi.cc", SWP_PTX_OPAQUE, true},
    {"mad.hi.sat", SWP_PTX_OPAQUE, true},
    {"mad", SWP_PTX_MAD, true},
    {"shl", SWP_PTX_SHL, true},
    {"shr", SWP_PTX_SHR, true},
    {"and", SWP_PTX_AND, true},
    {"or", SWP_PTX_OR, true},
    {"xor", SWP_PTX_XOR, true},
    {"not", SWP_PTX_NOT, true},
    {"neg", SWP_PTX_NEG, true},
    {"min.relu", SWP_PTX_OPAQUE, true},
    {"max.relu", SWP_PTX_OPAQUE, true},
    {"min", SWP_PTX_MIN, true},
    {"max", SWP_PTX_MAX, true},
    {"abs", SWP_PTX_ABS, true},
    {"div", SWP_PTX_DIV, true},
    {"rem", SWP_PTX_REM, true},
    {"setp", SWP_PTX_SETP, true},
    {"selp", SWP_PTX_SELP, true},
    {"cvta.shared.u32", SWP_PTX_UNSUPPORTED, true},
    {"cvta.to.shared.u32", SWP_PTX_UNSUPPORTED, true},
    {"cvta", SWP_PTX_MOVE, true},
    {"cvt.sat", SWP_PTX_OPAQUE, true},
    {"cvt.pack", SWP_PTX_OPAQUE, true},
    {"cvt", SWP_PTX_CONVERT, true},
    {"bfe", SWP_PTX_BFE, true},
    {"lop3", SWP_PTX_LOP3, true},
    {"popc", SWP_PTX_POPC, true},
    {"clz", SWP_PTX_CLZ, true},
    {"brev", SWP_PTX_BREV, true},
    {"bfi", SWP_PTX_BFI, true},
    {"prmt", SWP_PTX_PRMT, true},
    {"shf", SWP_PTX_SHF, true},
    {"shfl.sync", SWP_PTX_SHUFFLE, true},
    {"elect.sync", SWP_PTX_ELECT, true},
    {"vote.sync", SWP_PTX_VOTE, true},
    {"ld.param", SWP_PTX_LOAD_PARAM, true},
    {"ld.param::entry", SWP_PTX_LOAD_PARAM, true},
    {"bra", SWP_PTX_BRANCH, false},
    {"ret", SWP_PTX_EXIT, false},
    {"exit", SWP_PTX_EXIT, false},
    {"trap", SWP_PTX_TRAP, false},
    {"brx", SWP_PTX_UNSUPPORTED, false},
    {"call", SWP_PTX_UNSUPPORTED, false},
    {"ld", SWP_PTX_LOAD, true},
    {"ldu", SWP_PTX_OPAQUE, true},
    {"st.param", SWP_PTX_UNSUPPORTED, false},
    {"st.async", SWP_PTX_STORE_ASYNC, false},
    {"st.bulk", SWP_PTX_UNSUPPORTED, false},
    {"st", SWP_PTX_STORE, false},
    {"red.async", SWP_PTX_REDUCE_ASYNC, false},
    {"red", SWP_PTX_ATOMIC, false},
    {"atom", SWP_PTX_ATOMIC, true},
    {"ldmatrix", SWP_PTX_LDMATRIX, true},
    {"stmatrix", SWP_PTX_STMATRIX, false},
    {"wmma.load", SWP_PTX_LDMATRIX, true},
    {"wmma.store", SWP_PTX_STMATRIX, false},
    {"tensormap.replace", SWP_PTX_MAP_WRITE, false},
    {"tensormap.cp_fenceproxy", SWP_PTX_MAP_READ, false},
    {"cp.reduce.async.bulk", SWP_PTX_BULK_STORE, false},
    {"cp.async.bulk.commit_group", SWP_PTX_BULK_COMMIT, false},
    {"cp.async.bulk.wait_group", SWP_PTX_BULK_WAIT, false},
    {"cp.async.bulk.prefetch", SWP_PTX_NOTHING, false},
    {"cp.async.bulk", SWP_PTX_BULK_LOAD, false},
    {"cp.async.commit_group", SWP_PTX_COPY_COMMIT, false},
    {"cp.async.wait_group", SWP_PTX_COPY_WAIT, false},
    {"cp.async.wait_all", SWP_PTX_COPY_WAIT_ALL, false},
    {"cp.async.mbarrier.arrive", SWP_PTX_COPY_ARRIVE, false},
    {"cp.async.ca", SWP_PTX_COPY, false},
    {"cp.async.cg", SWP_PTX_COPY, false},
    {"cp", SWP_PTX_UNSUPPORTED, false},
    {"mbarrier.init", SWP_PTX_INIT, false},
    {"mbarrier.inval", SWP_PTX_INVALIDATE, false},
    {"mbarrier.arrive.expect_tx", SWP_PTX_ARRIVE_EXPECT, true},
    {"mbarrier.arrive", SWP_PTX_ARRIVE, true},
    {"mbarrier.expect_tx", SWP_PTX_EXPECT, false},
    {"mbarrier.try_wait", SWP_PTX_WAIT, true},
    {"mbarrier.test_wait", SWP_PTX_WAIT, true},
    {"mbarrier", SWP_PTX_UNSUPPORTED, true},
    {"bar.warp.sync", SWP_PTX_WARP_BARRIER, false},
    {"bar.sync", SWP_PTX_BARRIER, false},
    {"bar.arrive", SWP_PTX_BARRIER_ARRIVE, false},
    {"barrier.cluster.arrive", SWP_PTX_CLUSTER_ARRIVE, false},
    {"barrier.cluster.wait", SWP_PTX_CLUSTER_WAIT, false},
    {"barrier.sync", SWP_PTX_BARRIER, false},
    {"barrier.arrive", SWP_PTX_BARRIER_ARRIVE, false},
    {"barrier.cta.sync", SWP_PTX_BARRIER, false},
    {"barrier.cta.arrive", SWP_PTX_BARRIER_ARRIVE, false},
    {"bar.cta.sync", SWP_PTX_BARRIER, false},
    {"bar.red", SWP_PTX_BARRIER, true},
    {"bar.cta.red", SWP_PTX_BARRIER, true},
    {"barrier.red", SWP_PTX_BARRIER, true},
    {"barrier.cta.red", SWP_PTX_BARRIER, true},
    {"bar.cta.arrive", SWP_PTX_BARRIER_ARRIVE, false},
    {"bar", SWP_PTX_UNSUPPORTED, true},
    {"barrier", SWP_PTX_UNSUPPORTED, true},
    {"fence.proxy.async", SWP_PTX_FENCE_PROXY, false},
    {"fence.proxy", SWP_PTX_NOTHING, false},
    {"fence.mbarrier_init", SWP_PTX_FENCE_PROXY, false},
    {"fence", SWP_PTX_NOTHING, false},
    {"membar", SWP_PTX_NOTHING, false},
    {"wgmma.mma_async.sp", SWP_PTX_UNSUPPORTED, true},
    {"wgmma.mma_async", SWP_PTX_WGMMA, true},
    {"wgmma.fence", SWP_PTX_WGMMA_FENCE, false},
    {"wgmma.commit_group", SWP_PTX_WGMMA_COMMIT, false},
    {"wgmma.wait_group", SWP_PTX_WGMMA_WAIT, false},
    {"setmaxnreg", SWP_PTX_SET_REGISTERS, false},
    {"prefetch", SWP_PTX_NOTHING, false},
    {"prefetchu", SWP_PTX_NOTHING, false},
    {"nanosleep", SWP_PTX_NOTHING, false},
    {"griddepcontrol", SWP_PTX_NOTHING, false},
    {"discard", SWP_PTX_NOTHING, false},
    {"applypriority", SWP_PTX_NOTHING, false},
    {"pmevent", SWP_PTX_NOTHING, false},
    {"brkpt", SWP_PTX_NOTHING, false},
    {"mapa", SWP_PTX_MAP_ADDRESS, true},
    {"getctarank", SWP_PTX_UNSUPPORTED, true},
    {"multimem", SWP_PTX_UNSUPPORTED, true},
    {"tcgen05", SWP_PTX_UNSUPPORTED, false},
    {"clusterlaunchcontrol", SWP_PTX_UNSUPPORTED, false},
};

/* What only computes, or accesses other memory than shared. */
static const char *const opaque[] = {
    "activemask",   "addc",      "bfind", "bmsk",  "cnot",  "copysign", "cos",
    "createpolicy", "dp2a",      "dp4a",  "ex2",   "fma",   "fns",      "isspacep",
    "istypep",      "lg2",       "mad24", "madc",  "match", "mma",      "movmatrix",
    "mul24",        "rcp",       "redux", "rsqrt", "sad",   "set",      "sin",
    "slct",         "sqrt",      "subc",  "suld",  "suq",   "sured",    "sust",
    "szext",        "tanh",      "testp", "tex",   "tld4",  "txq",      "vabsdiff",
    "vabsdiff2",    "vabsdiff4", "vadd",  "vadd2", "vadd4", "vavrg2",   "vavrg4",
    "vmad",         "vmax",      "vmax2", "vmax4", "vmin",  "vmin2",    "vmin4",
    "vote",         "vset",      "vset2", "vset4", "vshl",  "vshr",     "vsub",
    "vsub2",        "vsub4"};

static bool take_part(swp_slice *rest, swp_slice *part)
{
    size_t length = 0;
    if (!rest->length)
        return false;
    while (length < rest->length && rest->start[length] != '.')
        length++;
    *part = (swp_slice){rest->start, length};
    *rest = swp_code_slice_after(*rest, length + (length < rest->length));
    return true;
}

static bool has_part(swp_slice name, swp_slice wanted)
{
    swp_slice part;
    while (take_part(&name, &part))
        if (swp_code_slice_same(part, wanted))
            return true;
    return false;
}

bool swp_ptx_has(swp_slice name, const char *modifier)
{
    return has_part(name, (swp_slice){modifier, strlen(modifier)});
}

static bool fits(swp_slice name, const char *row)
{
    swp_slice rest = {row, strlen(row)};
    swp_slice part;
    swp_slice first = {0};
    (void)take_part(&name, &first);
    bool is = take_part(&rest, &part) && swp_code_slice_same(first, part);
    while (is && take_part(&rest, &part))
        is = has_part(name, part);
    return is;
}

static bool is_opaque(swp_slice name)
{
    bool is = fits(name, "wmma.mma");
    for (size_t i = 0; i < SWP_COUNT_OF(opaque) && !is; i++)
        is = fits(name, opaque[i]);
    return is;
}

/* 16 to 64 bits, or a predicate's one. */
static bool read_type(swp_slice part, swp_ptx_type *out)
{
    static const struct {
        const char *name;
        swp_ptx_type type;
    } types[] = {
        {"u8", {8, false}},   {"s8", {8, true}},     {"b8", {8, false}},     {"u16", {16, false}},
        {"s16", {16, true}},  {"b16", {16, false}},  {"u32", {32, false}},   {"s32", {32, true}},
        {"b32", {32, false}}, {"u64", {64, false}},  {"s64", {64, true}},    {"b64", {64, false}},
        {"pred", {1, false}}, {"f16", {0, false}},   {"f32", {0, false}},    {"f64", {0, false}},
        {"bf16", {0, false}}, {"f16x2", {0, false}}, {"bf16x2", {0, false}}, {"tf32", {0, false}}};
    for (size_t i = 0; i < SWP_COUNT_OF(types); i++)
        if (swp_code_slice_is(part, types[i].name)) {
            *out = types[i].type;
            return true;
        }
    return false;
}

static void read_types(swp_ptx_insn *insn)
{
    swp_slice rest = insn->name;
    swp_slice part;
    int found = 0;
    while (take_part(&rest, &part) && found < 2) {
        swp_ptx_type type;
        if (!read_type(part, &type))
            continue;
        insn->source = type;
        if (found++ == 0)
            insn->type = type;
    }
}

/* Accesses by which threads may tell each other something: flags. */
static bool signals_by_memory(const swp_ptx_insn *insn)
{
    static const char *const orders[] = {"acquire", "release", "acq_rel", "volatile", "relaxed"};
    const bool accesses = insn->kind == SWP_PTX_LOAD || insn->kind == SWP_PTX_STORE;
    const size_t count = accesses ? 5 : insn->kind == SWP_PTX_ATOMIC ? 3 : 0;
    bool is = false;
    for (size_t i = 0; i < count; i++)
        is |= swp_ptx_has(insn->name, orders[i]);
    return is;
}

/* Of whole tiles, or of bytes. */
static bool is_plain_copy(swp_slice name)
{
    static const char *const others[] = {"im2col", "im2col::w", "im2col::w::128", "tile::scatter4"};
    bool is = true;
    for (size_t i = 0; i < SWP_COUNT_OF(others); i++)
        is &= !swp_ptx_has(name, others[i]);
    return is;
}

static bool stores_async(swp_ptx_kind kind)
{
    return kind == SWP_PTX_STORE_ASYNC || kind == SWP_PTX_REDUCE_ASYNC;
}

/* What is followed where it names the shared memory of a cluster. */
static bool may_be_remote(swp_ptx_kind kind)
{
    return kind == SWP_PTX_BULK_LOAD || kind == SWP_PTX_NOTHING || kind == SWP_PTX_MOVE ||
           kind == SWP_PTX_MAP_ADDRESS || kind == SWP_PTX_ARRIVE || kind == SWP_PTX_ARRIVE_EXPECT ||
           kind == SWP_PTX_EXPECT || kind == SWP_PTX_LOAD || kind == SWP_PTX_STORE ||
           kind == SWP_PTX_ATOMIC || stores_async(kind);
}

/* ptxas takes the qualifiers of both in any order; each shape is one of rows of 16 bytes (PTX ISA 9.0, "ldmatrix", "stmatrix"). */
static bool is_matrix_of_rows(swp_slice name)
{
    static const char *const shapes[] = {"m8n8", "m16n16", "m8n16", "m16n8"};
    swp_ptx_fragment fragment;
    bool is = swp_code_slice_starts(name, "wmma.") && swp_ptx_fragment_of(name, &fragment);
    for (size_t i = 0; i < SWP_COUNT_OF(shapes); i++)
        is |= swp_ptx_has(name, shapes[i]);
    return is && swp_ptx_has(name, "sync") && swp_ptx_has(name, "aligned");
}

static void refine(swp_ptx_insn *insn)
{
    if ((insn->kind == SWP_PTX_LDMATRIX || insn->kind == SWP_PTX_STMATRIX) &&
        !is_matrix_of_rows(insn->name))
        insn->kind = SWP_PTX_UNSUPPORTED;
    const bool remote = swp_ptx_has(insn->name, "shared::cluster");
    if (insn->kind == SWP_PTX_BULK_LOAD && swp_ptx_has(insn->name, "bulk_group"))
        insn->kind = SWP_PTX_BULK_STORE;
    /* Several rows, each a box of its map, go in one copy. */
    const bool gathers = swp_ptx_has(insn->name, "tile::gather4");
    /* Of what an image is cut into several numbers stand where the mask else does. */
    const bool casts = swp_ptx_has(insn->name, "multicast::cluster");
    if (insn->kind == SWP_PTX_BULK_LOAD && (gathers || (casts && !is_plain_copy(insn->name)) ||
                                            swp_ptx_has(insn->name, "cta_group::2")))
        insn->kind = SWP_PTX_UNSUPPORTED;
    if (remote && !may_be_remote(insn->kind))
        insn->kind = SWP_PTX_UNSUPPORTED;
    /* Others are stores to global memory. */
    if (stores_async(insn->kind) &&
        (!remote || !swp_ptx_has(insn->name, "mbarrier::complete_tx::bytes")))
        insn->kind = SWP_PTX_UNSUPPORTED;
    const bool local = remote || swp_ptx_has(insn->name, "shared::cta");
    insn->signals = signals_by_memory(insn);
    /* Without release and acquire they order no access but themselves. */
    const bool signals = insn->kind == SWP_PTX_ARRIVE || insn->kind == SWP_PTX_ARRIVE_EXPECT ||
                         insn->kind == SWP_PTX_WAIT;
    if (signals && (swp_ptx_has(insn->name, "relaxed") || swp_ptx_has(insn->name, "noComplete")))
        insn->kind = SWP_PTX_UNSUPPORTED;
    if (insn->kind == SWP_PTX_BULK_LOAD && (!local || !swp_ptx_has(insn->name, "global")))
        insn->kind = SWP_PTX_UNSUPPORTED;
}

/*
 * What is `.sync` waits for the threads of its mask, or of the warp (PTX ISA 9.0, "shfl.sync", "elect.sync", "mma"). Barriers of the
 * work group are followed by themselves.
 */
static bool is_meeting(swp_slice name)
{
    return swp_ptx_has(name, "sync") &&
           (!swp_code_slice_starts(name, "bar") || swp_code_slice_starts(name, "bar.warp."));
}

static bool has_mask(swp_slice name)
{
    static const char *const names[] = {"shfl", "vote", "elect", "match", "redux", "bar.warp"};
    bool has = false;
    for (size_t i = 0; i < SWP_COUNT_OF(names); i++)
        has |= fits(name, names[i]);
    return has;
}

int swp_ptx_least_operands(swp_ptx_kind kind)
{
    switch (kind) {
    case SWP_PTX_LOAD:
    case SWP_PTX_STORE:
    case SWP_PTX_LDMATRIX:
    case SWP_PTX_STMATRIX:
    case SWP_PTX_ATOMIC:
    case SWP_PTX_MAP_READ:
    case SWP_PTX_INIT:
    case SWP_PTX_ARRIVE:
    case SWP_PTX_EXPECT:
    case SWP_PTX_BARRIER_ARRIVE:
    case SWP_PTX_BULK_STORE:
        return 2;
    case SWP_PTX_COPY:
    case SWP_PTX_MAP_ADDRESS:
    case SWP_PTX_BULK_LOAD:
    case SWP_PTX_STORE_ASYNC:
    case SWP_PTX_REDUCE_ASYNC:
    case SWP_PTX_ARRIVE_EXPECT:
    case SWP_PTX_WAIT:
    case SWP_PTX_WGMMA:
        return 3;
    case SWP_PTX_MAP_WRITE:
    case SWP_PTX_COPY_WAIT:
    case SWP_PTX_BULK_WAIT:
    case SWP_PTX_INVALIDATE:
    case SWP_PTX_COPY_ARRIVE:
    case SWP_PTX_BARRIER:
    case SWP_PTX_WARP_BARRIER:
    case SWP_PTX_WGMMA_WAIT:
        return 1;
    default:
        return 0;
    }
}

void swp_ptx_classify(swp_ptx_insn *insn)
{
    insn->kind = is_opaque(insn->name) ? SWP_PTX_OPAQUE : SWP_PTX_UNSUPPORTED;
    insn->has_results = true;
    for (size_t i = 0; i < SWP_COUNT_OF(rows); i++)
        if (fits(insn->name, rows[i].name)) {
            insn->kind = rows[i].kind;
            insn->has_results = rows[i].has_results;
            break;
        }
    read_types(insn);
    refine(insn);
    insn->meets = is_meeting(insn->name);
    insn->masked = insn->meets && has_mask(insn->name);
    insn->wide = swp_ptx_has(insn->name, "wide");
    insn->relation = insn->kind == SWP_PTX_SETP ? swp_ptx_relation(insn->name) : -1;
}
