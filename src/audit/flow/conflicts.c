/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What goes wrong in a function: every instruction, after the fixpoint, against the accesses that are in
 * flight before it, or retired and not yet ordered for other waves.
 */
#include "audit/flow/conflict_search.h"

#include "audit/flow/divergent_paths.h"

#include <stdlib.h>
#include <string.h>

static size_t *known_at(const swp_conflict_search *s, int insn, swp_hazard_kind kind)
{
    const int index = insn - s->fixpoint->flow->function->first;
    return &s->known[(size_t)index * SWP_HAZARD_KINDS + (size_t)kind];
}

const swp_conflict *swp_flow_conflict_known(const swp_conflict_search *s, int insn,
                                            swp_hazard_kind kind)
{
    const size_t at = *known_at(s, insn, kind);
    return at ? &s->out->items[at - 1] : NULL;
}

swp_status swp_flow_conflict_add(swp_conflict_search *s, swp_conflict *conflict)
{
    size_t *at = known_at(s, conflict->at, conflict->kind);
    conflict->copies = conflict->certain ? 1U << s->copy : 0;
    if (*at == 0) {
        *at = s->out->count + 1;
        return SWP_PUSH(s->fixpoint->ctx, s->out, *conflict);
    }
    swp_conflict *known = &s->out->items[*at - 1];
    conflict->copies |= known->copies;
    if (conflict->certain && !known->certain)
        *known = *conflict;
    known->copies = conflict->copies;
    return SWP_OK;
}

swp_conflict swp_flow_conflict_with(const swp_conflict_search *s, swp_hazard_kind kind, int insn,
                                    int event)
{
    const swp_access_state *access = &s->point.accesses[event];
    const int counter = swp_flow_waiting_counter(access);
    return (swp_conflict){
        .kind = kind,
        .certain = true,
        .at = insn,
        .other = s->fixpoint->events.items[event].insn,
        .event = event,
        .own = swp_flow_fixpoint_event(s->fixpoint, insn, s->copy),
        .access = *access,
        .counter = counter,
        .lag_unknown = -1,
        .divergent_branch = -1,
        .out_of_order =
            !swp_code_insn_traits_of(swp_flow_event_insn(&s->fixpoint->events, event)->kind)
                 ->in_order};
}

/* Whether a loop is left in one of its contexts alone: it iterates as often as constants say. */
static bool counts_itself(const swp_fixpoint *fixpoint, int loop)
{
    const swp_flow *flow = fixpoint->flow;
    int exits = 0;
    for (int b = 0; b < flow->block_count; b++)
        for (int s = 0; s < flow->blocks[b].successor_count && swp_flow_in_loop(flow, loop, b); s++)
            for (int copy = 0; copy < fixpoint->copies; copy++)
                exits += !swp_flow_in_loop(flow, loop, flow->blocks[b].successors[s]) &&
                         swp_flow_fixpoint_point(fixpoint, b, copy)->reached &&
                         swp_flow_fixpoint_copy_after(fixpoint, b, s, copy) != SWP_NOT_TAKEN;
    return exits == 1;
}

/* Whether the other access is in a loop that was left before, in one of several contexts of it. */
static bool is_of_some_passes(const swp_conflict_search *s, const swp_conflict *conflict)
{
    const swp_flow *flow = s->fixpoint->flow;
    const int from = swp_flow_block_of(flow, conflict->other);
    const int loop = flow->blocks[from].loop;
    return !conflict->operand && loop >= 0 && s->fixpoint->contexts.counts[from] > 1 &&
           !swp_flow_in_loop(flow, loop, s->block) && !counts_itself(s->fixpoint, loop);
}

/*
 * A loop that was followed in several contexts may be left in any of them, as far as is known: what goes
 * wrong after some only is not certain.
 */
static void weigh_copies(swp_conflict_search *s, const swp_block *block)
{
    unsigned reached = 0;
    for (int copy = 0; copy < s->fixpoint->copies; copy++)
        reached |= swp_flow_fixpoint_point(s->fixpoint, s->block, copy)->reached ? 1U << copy : 0;
    for (size_t i = 0; i < s->out->count; i++) {
        swp_conflict *conflict = &s->out->items[i];
        if (conflict->at < block->first || conflict->at >= block->end || !conflict->certain)
            continue;
        conflict->iterations_matter =
            (block->loop < 0 && conflict->copies != reached) || is_of_some_passes(s, conflict);
        conflict->certain = !conflict->iterations_matter;
    }
}

static swp_status search_block(swp_conflict_search *s)
{
    const swp_block *b = &s->fixpoint->flow->blocks[s->block];
    swp_flow_point_copy(s->fixpoint, &s->point,
                        swp_flow_fixpoint_point(s->fixpoint, s->block, s->copy));
    s->retired_at_most = 0;
    swp_flow_wave_paths_enter(s->fixpoint, &s->paths, s->block, s->copy);
    for (int insn = b->first; insn < b->end && s->point.reached; insn++) {
        SWP_TRY(swp_flow_check_registers(s, insn));
        SWP_TRY(swp_flow_check_lds(s, insn));
        swp_flow_wave_paths_pass(s->fixpoint, &s->paths, insn, s->copy);
        swp_flow_fixpoint_transfer(s->fixpoint, &s->point, insn, s->copy);
        swp_flow_drop_dominated(s);
    }
    return SWP_OK;
}

static int compare_conflicts(const void *a, const void *b)
{
    const swp_conflict *first = a;
    const swp_conflict *second = b;
    return first->at != second->at ? first->at - second->at : (int)first->kind - (int)second->kind;
}

/* Whether waves go different ways here, nobody knows which, and not just round a loop that all of them run once. */
static bool parts_waves(const swp_fixpoint *fixpoint, int block)
{
    const swp_block *b = &fixpoint->flow->blocks[block];
    if (b->successor_count != 2 || fixpoint->branches.items[block].sense != SWP_BRANCH_DIVERGENT)
        return false;
    return !swp_flow_is_back_edge(fixpoint->flow, block, b->successors[0]) &&
           !swp_flow_is_back_edge(fixpoint->flow, block, b->successors[1]);
}

/* Which waves run these blocks may follow from the wave's number by a way that is not followed. */
static swp_status find_optional(swp_conflict_search *s)
{
    const swp_fixpoint *fixpoint = s->fixpoint;
    const size_t count = (size_t)fixpoint->flow->block_count;
    bool *region = NULL;
    SWP_TRY(SWP_TAKE(fixpoint->ctx, count, &s->optional));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, count, &region));
    for (size_t b = 0; b < count; b++) {
        if (!parts_waves(fixpoint, (int)b))
            continue;
        memset(region, 0, count * sizeof *region);
        for (int side = 0; side < 2; side++)
            swp_flow_mark_influence_region(fixpoint->flow, (int)b, side, region);
        for (size_t i = 0; i < count; i++)
            s->optional[i] |= region[i];
    }
    return SWP_OK;
}

swp_status swp_flow_find_conflicts(swp_fixpoint *fixpoint, const swp_lags *lags,
                                   swp_conflict_list *out)
{
    swp_conflict_search s = {.fixpoint = fixpoint, .lags = lags, .out = out};
    const size_t insns = (size_t)(fixpoint->flow->function->end - fixpoint->flow->function->first);
    SWP_TRY(swp_flow_point_new(fixpoint, &s.point));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, insns * SWP_HAZARD_KINDS, &s.known));
    SWP_TRY(find_optional(&s));
    SWP_TRY(swp_flow_find_alike_accesses(&s));
    if (lags->any)
        SWP_TRY(swp_flow_wave_paths_find(fixpoint, &s.paths));
    for (s.block = 0; s.block < fixpoint->flow->block_count; s.block++) {
        for (s.copy = 0; s.copy < fixpoint->copies; s.copy++)
            SWP_TRY(search_block(&s));
        weigh_copies(&s, &fixpoint->flow->blocks[s.block]);
    }
    SWP_TRY(swp_flow_find_divergent_conflicts(fixpoint, lags, out));
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, compare_conflicts);
    return fixpoint->values.status;
}
