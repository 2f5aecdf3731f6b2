/* SPDX-License-Identifier: Apache-2.0 */
/* What is read off the fixpoint once it is reached: the bytes of each LDS access, and how branches go. */
#include "audit/flow/fixpoint.h"

#include "base/budget.h"

enum { STEPS_OF_AN_INSN = 64 };

static int first_insn(const swp_fixpoint *fixpoint)
{
    return fixpoint->flow->function->first;
}

static swp_status find_footprints_in(swp_fixpoint *fixpoint, int block, int copy,
                                     swp_point *scratch, bool *unknown)
{
    const swp_block *b = &fixpoint->flow->blocks[block];
    swp_flow_point_copy(fixpoint, scratch, swp_flow_fixpoint_point(fixpoint, block, copy));
    for (int insn = b->first; insn < b->end && scratch->reached; insn++) {
        const int event = swp_flow_fixpoint_event(fixpoint, insn, copy);
        const swp_lds_access *access = &fixpoint->flow->code->insns.items[insn].lds;
        SWP_TRY(swp_keep_on(fixpoint->ctx, STEPS_OF_AN_INSN));
        if (event >= 0 && access->parts) {
            SWP_TRY(swp_flow_footprint_of(fixpoint->ctx, &fixpoint->values, &scratch->registers,
                                          access, fixpoint->branches.reaching[block],
                                          &fixpoint->footprints[event]));
            unknown[insn - first_insn(fixpoint)] |= !fixpoint->footprints[event].known;
        }
        swp_flow_fixpoint_transfer(fixpoint, scratch, insn, copy);
    }
    return SWP_OK;
}

swp_status swp_flow_fixpoint_find_footprints(swp_fixpoint *fixpoint)
{
    swp_point scratch;
    SWP_TRY(swp_flow_point_new(fixpoint, &scratch));
    const int insns = fixpoint->flow->function->end - first_insn(fixpoint);
    bool *unknown = NULL;
    SWP_TRY(SWP_TAKE(fixpoint->ctx, (size_t)insns, &unknown));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, (size_t)fixpoint->events.count, &fixpoint->footprints));
    for (int i = 0; i < fixpoint->flow->reached_count; i++)
        for (int copy = 0; copy < fixpoint->copies; copy++)
            SWP_TRY(find_footprints_in(fixpoint, fixpoint->flow->rpo[i], copy, &scratch, unknown));
    for (int i = 0; i < insns; i++)
        fixpoint->unknown_addresses += unknown[i];
    return SWP_OK;
}

/* --- branches --- */

static swp_branching branching_of(const swp_fixpoint *fixpoint, int block, const swp_point *end)
{
    const swp_insn *insn =
        &fixpoint->flow->code->insns.items[fixpoint->flow->blocks[block].end - 1];
    bool taken[SWP_MOST_WAVES] = {false};
    swp_branching branch = {.doubts = swp_flow_registers_branch_doubts(&end->registers, insn)};
    branch.sense = swp_flow_registers_branch(&fixpoint->values, &end->registers, insn, taken);
    for (int wave = 0; wave < SWP_MOST_WAVES && branch.sense == SWP_BRANCH_KNOWN; wave++)
        branch.taken |= taken[wave] ? 1U << wave : 0;
    return branch;
}

/* What is known of a branch in all copies of its loop. */
static void find_branching(swp_fixpoint *fixpoint, int block, swp_point *scratch)
{
    swp_branching *out = &fixpoint->branches.items[block];
    bool seen = false;
    for (int copy = 0; copy < fixpoint->copies; copy++) {
        swp_flow_fixpoint_end(fixpoint, block, copy, scratch);
        if (!scratch->reached)
            continue;
        const swp_branching now = branching_of(fixpoint, block, scratch);
        const bool same = now.sense == out->sense && now.taken == out->taken;
        const unsigned doubts = now.doubts | out->doubts;
        if (!seen)
            *out = now;
        else if (!same)
            *out = (swp_branching){.sense = SWP_BRANCH_DIVERGENT};
        out->doubts = doubts;
        seen = true;
    }
}

swp_status swp_flow_fixpoint_find_branches(swp_fixpoint *fixpoint)
{
    const swp_flow *flow = fixpoint->flow;
    const int waves = fixpoint->values.threads / SWP_WAVE;
    swp_point scratch;
    SWP_TRY(swp_flow_point_new(fixpoint, &scratch));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, (size_t)flow->block_count, &fixpoint->branches.items));
    fixpoint->branches.all = (swp_wave_set)((1ULL << waves) - 1);
    for (int block = 0; block < flow->block_count; block++)
        if (flow->blocks[block].successor_count == 2)
            find_branching(fixpoint, block, &scratch);
    return swp_flow_branches_propagate(fixpoint->ctx, flow, &fixpoint->branches);
}
