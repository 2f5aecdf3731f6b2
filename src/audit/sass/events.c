/* SPDX-License-Identifier: Apache-2.0 */
/* From the text of an instruction of sm_90 to the events of warp roles. The opcodes are those that ptxas makes of the PTX of the headers. */
#include "audit/sass/events.h"

#include "audit/sass/sass.h"
#include "base/names.h"

/* The whole of the opcode, or, of a prefix, what it begins with. */
typedef struct row {
    const char *opcode;
    bool is_prefix;
    swp_sass_event_kind kind;
} row;

/* clang-format off */
static const row rows[] = {
    {"SYNCS.EXCH.64",                    false, SWP_SASS_EVENT_INIT},
    {"SYNCS.PHASECHK.TRANS64.TRYWAIT",   false, SWP_SASS_EVENT_WAIT},
    {"SYNCS.ARRIVE.TRANS64.A1T0",        false, SWP_SASS_EVENT_ARRIVE},
    {"SYNCS.ARRIVE.TRANS64.RED.A1T0",    false, SWP_SASS_EVENT_ARRIVE}, /* at another work group */
    {"SYNCS.ARRIVE.TRANS64",             false, SWP_SASS_EVENT_ARRIVE_EXPECT},
    {"UTMALDG",                          true,  SWP_SASS_EVENT_COPY},
    {"UBLKCP.S.G",                       true,  SWP_SASS_EVENT_COPY},
    {"UTMASTG",                          true,  SWP_SASS_EVENT_STORE},
    {"UTMAREDG",                         true,  SWP_SASS_EVENT_STORE},
    {"UBLKCP.G.S",                       true,  SWP_SASS_EVENT_STORE},
    {"UTMACMDFLUSH",                     false, SWP_SASS_EVENT_BULK_COMMIT},
    {"DEPBAR.LE",                        false, SWP_SASS_EVENT_BULK_WAIT},
    {"HGMMA",                            true,  SWP_SASS_EVENT_MMA},
    {"QGMMA",                            true,  SWP_SASS_EVENT_MMA},
    {"IGMMA",                            true,  SWP_SASS_EVENT_MMA},
    {"WARPGROUP.DEPBAR.LE",              false, SWP_SASS_EVENT_MATRIX_WAIT},
    {"WARPGROUP.ARRIVE",                 false, SWP_SASS_EVENT_MATRIX_FENCE},
    {"FENCE.VIEW.ASYNC",                 true,  SWP_SASS_EVENT_FENCE_ASYNC},
    {"BAR.SYNC",                         true,  SWP_SASS_EVENT_SYNC},
    {"BAR.ARV",                          true,  SWP_SASS_EVENT_NAMED_ARRIVE},
    {"UCGABAR_ARV",                      true,  SWP_SASS_EVENT_CLUSTER_ARRIVE},
    {"UCGABAR_WAIT",                     true,  SWP_SASS_EVENT_CLUSTER_WAIT},
};

/* Fences that order more than they must, caches, elections, registers of a warp group, prefetches, launches of other grids. */
static const char *const beside[] = {
    "ACQBULK", "CCTL", "CGAERRBAR", "ELECT", "ERRBAR", "MEMBAR", "PREEXIT",
    "USETMAXREG", "UTMACCTL", "UTMAPF", "UBLKPF",
};
/* clang-format on */

/* What stands behind a condition; the condition is "" where there is none. */
static swp_slice take_opcode(swp_slice *rest, swp_slice *condition)
{
    const swp_slice first = swp_code_slice_take_word(rest);
    *condition = (swp_slice){first.start, 0};
    if (!swp_code_slice_starts(first, "@"))
        return first;
    *condition = swp_code_slice_after(first, 1);
    return swp_code_slice_take_word(rest);
}

static swp_sass_event_kind kind_of(swp_slice opcode)
{
    for (size_t i = 0; i < SWP_COUNT_OF(rows); i++)
        if (rows[i].is_prefix ? swp_code_slice_starts(opcode, rows[i].opcode)
                              : swp_code_slice_is(opcode, rows[i].opcode))
            return rows[i].kind;
    return SWP_SASS_EVENT_NONE;
}

/* The number behind a scoreboard's name, or a barrier's. */
static int value_of(swp_sass_event_kind kind, swp_slice operands)
{
    int64_t value = 0;
    if (kind == SWP_SASS_EVENT_BULK_WAIT || kind == SWP_SASS_EVENT_MATRIX_WAIT)
        (void)swp_code_slice_take_until(&operands, ',');
    else if (kind != SWP_SASS_EVENT_SYNC && kind != SWP_SASS_EVENT_NAMED_ARRIVE)
        return 0;
    const swp_slice number = swp_code_slice_trim(swp_code_slice_take_until(&operands, ','));
    return swp_code_slice_number(number, &value) && value >= 0 && value < 1 << 16 ? (int)value
                                                                                  : SWP_ANY_VALUE;
}

int swp_sass_events_of(const swp_insn *insn, swp_sass_event out[SWP_MOST_SASS_EVENTS])
{
    swp_slice operands = insn->text;
    swp_slice condition;
    const swp_sass_event_kind kind = kind_of(take_opcode(&operands, &condition));
    if (kind == SWP_SASS_EVENT_NONE)
        return 0;
    out[0] = (swp_sass_event){kind, value_of(kind, operands), condition.length > 0};
    if (kind != SWP_SASS_EVENT_MMA || !swp_code_slice_contains(operands, "gsb0"))
        return 1;
    out[1] = (swp_sass_event){SWP_SASS_EVENT_MATRIX_COMMIT, 0, condition.length > 0};
    return 2;
}

bool swp_sass_may_be_of_one_thread(swp_sass_event_kind kind)
{
    static const bool may[] = {
#define MAY(kind, one_thread) [SWP_SASS_EVENT_##kind] = (one_thread),
        SWP_SASS_EVENTS(MAY)
#undef MAY
    };
    return may[kind];
}

bool swp_sass_is_beside_roles(const swp_insn *insn)
{
    swp_slice operands = insn->text;
    swp_slice condition;
    const swp_slice opcode = take_opcode(&operands, &condition);
    for (size_t i = 0; i < SWP_COUNT_OF(beside); i++)
        if (swp_code_slice_starts(opcode, beside[i]))
            return true;
    return insn->kind != SWP_INSN_UNKNOWN && insn->kind != SWP_INSN_COPY_TO_LDS &&
           insn->kind != SWP_INSN_COMMIT && insn->value != SWP_SASS_CALLS;
}

swp_slice swp_sass_success_of(const swp_insn *insn)
{
    swp_slice operands = insn->text;
    swp_slice condition;
    (void)take_opcode(&operands, &condition);
    const swp_slice first = swp_code_slice_trim(swp_code_slice_take_until(&operands, ','));
    return swp_code_slice_starts(first, "P") ? first : (swp_slice){first.start, 0};
}

bool swp_sass_branches_on(const swp_insn *insn, swp_slice predicate, bool *negated)
{
    swp_slice operands = insn->text;
    swp_slice condition;
    (void)take_opcode(&operands, &condition);
    *negated = swp_code_slice_starts(condition, "!");
    return swp_code_slice_same(*negated ? swp_code_slice_after(condition, 1) : condition,
                               predicate);
}

bool swp_sass_repeats_by_thread(const swp_insn *insn)
{
    return swp_code_slice_contains(insn->text, "BRA.U.ANY");
}
