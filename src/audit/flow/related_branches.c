/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Branches that are computed from the same. Paths are followed whatever branches before decided: where two are related, a
 * path may be none that any wave takes.
 */
#include "audit/flow/related_branches.h"

#include "audit/flow/registers.h"

/* Whether it may go both ways, as far as the fixpoint knows. */
static bool goes_both_ways(const swp_fixpoint *fixpoint, int block)
{
    const swp_block *b = &fixpoint->flow->blocks[block];
    bool taken[2] = {false, false};
    for (int copy = 0; b->reached && b->successor_count == 2 && copy < fixpoint->copies; copy++)
        for (int side = 0; side < 2; side++)
            taken[side] |=
                swp_flow_fixpoint_point(fixpoint, block, copy)->reached &&
                swp_flow_fixpoint_copy_after(fixpoint, block, side, copy) != SWP_NOT_TAKEN;
    return taken[0] && taken[1];
}

static bool writes_register(const swp_insn *insn, const swp_operand *operand)
{
    for (int d = 0; d < insn->destinations; d++)
        if (insn->operands[d].first < operand->first + operand->count &&
            operand->first < insn->operands[d].first + insn->operands[d].count)
            return true;
    return false;
}

/* Whether an instruction of the loop writes what another one reads. */
static bool reads_of_loop(const swp_flow *flow, int loop, const swp_insn *reader)
{
    for (int block = 0; block < flow->block_count; block++) {
        if (!flow->blocks[block].reached || !swp_flow_in_loop(flow, loop, block))
            continue;
        for (int i = flow->blocks[block].first; i < flow->blocks[block].end; i++)
            for (int o = reader->destinations; o < reader->operand_count; o++)
                if (reader->operands[o].kind == SWP_OPERAND_REGISTERS &&
                    reader->operands[o].first != SWP_REG_EXEC &&
                    writes_register(&flow->code->insns.items[i], &reader->operands[o]))
                    return true;
    }
    return false;
}

/* What its block asks last to decide the branch; NULL: it is decided elsewhere. */
static const swp_insn *decider_of(const swp_flow *flow, int block)
{
    const swp_block *b = &flow->blocks[block];
    const int asked = swp_flow_branch_register(&flow->code->insns.items[b->end - 1]);
    const swp_operand condition = {
        .kind = SWP_OPERAND_REGISTERS, .first = (int16_t)asked, .count = 2};
    for (int i = b->end - 2; i >= b->first; i--) {
        const swp_insn *insn = &flow->code->insns.items[i];
        const bool by_scc =
            asked == SWP_REG_SCC && insn->kind == SWP_INSN_SCALAR && !insn->keeps_scc;
        const bool by_exec = asked == SWP_REG_EXEC && insn->writes_exec;
        if (by_scc || by_exec || (asked != SWP_REG_SCC && writes_register(insn, &condition)))
            return insn;
    }
    return NULL;
}

/* Whether it decides the same each time that its loop passes it, or goes by constants alone. */
static bool repeats_itself(const swp_flow *flow, const swp_origin_set *origins, int block)
{
    const int loop = flow->blocks[block].loop;
    const swp_insn *decider = decider_of(flow, block);
    return loop >= 0 && (!origins[block] || !decider || !reads_of_loop(flow, loop, decider));
}

/* Marks the blocks from which one is reached, itself included. */
static void mark_leading_to(const swp_flow *flow, int to, bool *leads)
{
    bool changed = true;
    leads[to] = true;
    while (changed) {
        changed = false;
        for (int i = flow->reached_count - 1; i >= 0; i--) {
            const swp_block *b = &flow->blocks[flow->rpo[i]];
            for (int s = 0; s < b->successor_count && !leads[flow->rpo[i]]; s++)
                changed |= leads[flow->rpo[i]] = leads[b->successors[s]];
        }
    }
}

swp_status swp_flow_find_related_branches(const swp_fixpoint *fixpoint,
                                          const swp_origin_set *origins, int insn, int *at,
                                          int *like)
{
    const swp_flow *flow = fixpoint->flow;
    bool *leads = NULL;
    *at = -1;
    SWP_TRY(SWP_TAKE(fixpoint->ctx, (size_t)flow->block_count, &leads));
    mark_leading_to(flow, swp_flow_block_of(flow, insn), leads);
    for (int block = 0; block < flow->block_count; block++)
        leads[block] = leads[block] && goes_both_ways(fixpoint, block);
    for (int block = 0; block < flow->block_count; block++) {
        for (int other = 0; leads[block] && other <= block; other++) {
            const bool related = other == block
                                     ? repeats_itself(flow, origins, block)
                                     : leads[other] && (origins[block] & origins[other]) != 0;
            if (!related)
                continue;
            *at = flow->blocks[block].end - 1;
            *like = flow->blocks[other].end - 1;
            return SWP_OK;
        }
        if (leads[block])
            *at = *like = flow->blocks[block].end - 1;
    }
    return SWP_OK;
}
