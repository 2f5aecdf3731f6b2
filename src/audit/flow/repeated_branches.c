/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branches that compare the same as others do. Paths are followed whatever branches before decided: where two compare the
 * same, a path may be none that any wave takes.
 */
#include "audit/flow/repeated_branches.h"

#include "audit/flow/registers.h"

#include <string.h>

/* What a branch compares: the operands of the instruction that its block asks last. */
static swp_slice comparison_of(const swp_flow *flow, const swp_block *block)
{
    const swp_insn *insns = flow->code->insns.items;
    const int asked = swp_flow_branch_register(&insns[block->end - 1]);
    const bool by_scc = asked == SWP_REG_SCC;
    if (!by_scc && asked != SWP_REG_VCC)
        return (swp_slice){0};
    for (int i = block->end - 2; i >= block->first; i--) {
        swp_slice operands = insns[i].text;
        const swp_slice name = swp_code_slice_take_word(&operands);
        const bool compares =
            by_scc
                ? swp_code_slice_starts(name, "s_cmp_") || swp_code_slice_starts(name, "s_bitcmp")
                : swp_code_slice_is(name, "s_and_b64") || swp_code_slice_is(name, "s_andn2_b64");
        if (compares && (by_scc || swp_code_slice_starts(operands, "vcc")))
            return operands;
    }
    return (swp_slice){0};
}

static bool is_branch(const swp_flow *flow, int block)
{
    const swp_block *of = &flow->blocks[block];
    return of->reached && flow->code->insns.items[of->end - 1].kind == SWP_INSN_BRANCH;
}

/* On the way from one instruction to another, by where it stands; not where a loop begins again. */
static bool is_between(const swp_flow *flow, int block, int from, int to)
{
    const swp_block *of = &flow->blocks[block];
    const int at = of->end - 1;
    const bool inside = from < to ? from < at && at < to : at > from || at < to;
    return inside && !swp_flow_is_back_edge(flow, block, of->successors[of->successor_count - 1]);
}

static bool find_alike(const swp_flow *flow, int block, int *like)
{
    const swp_slice operands = comparison_of(flow, &flow->blocks[block]);
    for (int other = 0; other < flow->block_count && operands.length; other++) {
        if (other == block || !is_branch(flow, other))
            continue;
        const swp_slice same = comparison_of(flow, &flow->blocks[other]);
        if (same.length == operands.length &&
            memcmp(same.start, operands.start, same.length) == 0) {
            *like = flow->blocks[other].end - 1;
            return true;
        }
    }
    return false;
}

bool swp_flow_find_repeated_branch(const swp_flow *flow, int from, int to, int *at, int *like)
{
    for (int block = 0; block < flow->block_count; block++)
        if (is_branch(flow, block) && is_between(flow, block, from, to) &&
            find_alike(flow, block, like)) {
            *at = flow->blocks[block].end - 1;
            return true;
        }
    return false;
}
