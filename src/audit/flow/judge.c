/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/flow/judge.h"

#include "audit/flow/ways.h"
#include "base/budget.h"

#include <stdlib.h>

enum { STEPS_OF_A_PAIR = 32 };

typedef struct judge {
    swp_trace *trace;
    const swp_lags *lags;
    swp_conflict_list *out;
    swp_point point;
    size_t *known; /* by instruction of the function and kind: 1 + its conflict; 0: none */
    int block;
    int copy;
} judge;

static const swp_insn *insn_at(const judge *j, int index)
{
    return &j->trace->flow->code->insns.items[index];
}

static size_t *known_at(const judge *j, int insn, swp_hazard_kind kind)
{
    const int index = insn - j->trace->flow->function->first;
    return &j->known[(size_t)index * SWP_HAZARD_KINDS + (size_t)kind];
}

/* One for each instruction and kind: the first, unless only a later one is certain. */
static swp_status add(judge *j, swp_conflict *conflict)
{
    size_t *at = known_at(j, conflict->at, conflict->kind);
    conflict->copies = conflict->certain ? 1U << j->copy : 0;
    if (*at == 0) {
        *at = j->out->count + 1;
        return SWP_PUSH(j->trace->ctx, j->out, *conflict);
    }
    swp_conflict *known = &j->out->items[*at - 1];
    conflict->copies |= known->copies;
    if (conflict->certain && !known->certain)
        *known = *conflict;
    known->copies = conflict->copies;
    return SWP_OK;
}

/* Whether this event can add nothing to what is known of the instruction and kind. */
static bool is_settled(const judge *j, int event, int own, int insn, swp_hazard_kind kind)
{
    const swp_footprint *footprints = j->trace->footprints;
    const size_t at = *known_at(j, insn, kind);
    if (at == 0)
        return false;
    const bool certain = j->out->items[at - 1].copies >> j->copy & 1U;
    return certain || !footprints[event].known || !footprints[own].known;
}

static int waiting_counter(const swp_flow_flight *flight)
{
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
        if (flight->waiting[c])
            return c;
    return -1;
}

static swp_conflict conflict_with(const judge *j, swp_hazard_kind kind, int insn, int event)
{
    const swp_flow_flight *flight = &j->point.flights[event];
    const int counter = waiting_counter(flight);
    return (swp_conflict){.kind = kind,
                          .certain = true,
                          .at = insn,
                          .other = j->trace->events.items[event].insn,
                          .event = event,
                          .own = swp_flow_fixpoint_event(j->trace, insn, j->copy),
                          .flight = *flight,
                          .counter = counter,
                          .lag_unknown = -1,
                          .parted = -1,
                          .out_of_order = !swp_code_insn_traits_of(
                                               swp_flow_event_insn(&j->trace->events, event)->kind)
                                               ->in_order};
}

/* --- registers --- */

/* Vector memory writes registers in the order of issue: a later load may follow an earlier one. */
static bool follows_in_order(const judge *j, const swp_insn *insn, int operand, int event)
{
    return operand < insn->destinations && insn->kind == SWP_INSN_LOAD &&
           swp_flow_event_insn(&j->trace->events, event)->kind == SWP_INSN_LOAD;
}

/* What an instruction reads besides its operands and may have been loaded. */
static swp_operand implied(const swp_insn *insn)
{
    swp_operand operand = insn->implied;
    const int condition = insn->kind == SWP_INSN_BRANCH ? swp_flow_branch_register(insn) : -1;
    if (insn->lds.address == SWP_REG_M0)
        operand = (swp_operand){.kind = SWP_OPERAND_REGISTERS, .first = SWP_REG_M0, .count = 1};
    else if (condition == SWP_REG_VCC)
        operand = (swp_operand){.kind = SWP_OPERAND_REGISTERS, .first = SWP_REG_VCC, .count = 2};
    return operand;
}

static swp_status check_implied(judge *j, int index)
{
    const swp_insn *insn = insn_at(j, index);
    const swp_operand operand = implied(insn);
    for (int i = 0; i < j->point.flying.count; i++) {
        const int e = j->point.flying.items[i];
        if (!(swp_flow_event_overlap(&j->trace->events, e, &operand) &
              j->point.flights[e].untouched))
            continue;
        swp_conflict conflict = conflict_with(j, SWP_REGISTER_NOT_READY, index, e);
        /* The text names the registers as the load does. */
        conflict.operand = &swp_flow_event_insn(&j->trace->events, e)->operands[0];
        SWP_TRY(add(j, &conflict));
    }
    return SWP_OK;
}

static swp_status check_registers(judge *j, int index)
{
    const swp_insn *insn = insn_at(j, index);
    for (int f = 0; f < j->point.flying.count; f++) {
        const int e = j->point.flying.items[f];
        const swp_flow_flight *flight = &j->point.flights[e];
        if (!flight->untouched)
            continue;
        for (int i = 0; i < insn->operand_count; i++) {
            if (!(swp_flow_event_overlap(&j->trace->events, e, &insn->operands[i]) &
                  flight->untouched) ||
                follows_in_order(j, insn, i, e))
                continue;
            swp_conflict conflict = conflict_with(j, SWP_REGISTER_NOT_READY, index, e);
            conflict.operand = &insn->operands[i];
            conflict.written = i < insn->destinations && !insn->reads_destination;
            SWP_TRY(add(j, &conflict));
            break;
        }
    }
    return SWP_OK;
}

/* --- LDS --- */

static bool is_ds(swp_insn_kind kind)
{
    return kind == SWP_INSN_LDS_READ || kind == SWP_INSN_LDS_WRITE || kind == SWP_INSN_LDS_ATOMIC;
}

/* Whether wave `first`'s earlier access is done before wave `second` issues the later one. */
static bool ordered(const judge *j, int event, const swp_insn *later, int first, int second,
                    int *barriers_wanted)
{
    const swp_flow_flight *flight = &j->point.flights[event];
    const swp_insn *earlier = swp_flow_event_insn(&j->trace->events, event);
    const swp_lag *at = &j->lags->items[j->block];
    const int *lag = at->barriers;
    *barriers_wanted = first == second ? 0 : 1 + lag[first] - lag[second];
    if (first == second)
        return !swp_flow_is_in_flight(flight) || (is_ds(earlier->kind) && is_ds(later->kind));
    return !swp_flow_is_in_flight(flight) && at->unknown < 0 &&
           flight->barriers >= *barriers_wanted;
}

/*
 * The waves that the conflict is about: the first pair that surely is in it, or that may be. Returns
 * false if there is none.
 */
static bool find_waves(const judge *j, int event, int own, const swp_insn *later,
                       swp_conflict *conflict)
{
    const swp_footprint *a = &j->trace->footprints[event];
    const swp_footprint *b = &j->trace->footprints[own];
    const int waves = j->trace->values.threads / SWP_WAVE;
    const int unknown = j->lags->items[j->block].unknown;
    const int insn = j->trace->events.items[event].insn;
    const swp_wave_set *come = j->trace->branches.come;
    const swp_wave_set other = come[swp_flow_block_of(j->trace->flow, insn)];
    const bool can_be_sure = a->known && b->known;
    bool found = false;
    for (int first = 0; first < waves; first++)
        for (int second = 0; second < waves; second++) {
            int wanted = 0;
            if (!(other >> first & come[j->block] >> second & 1U) ||
                ordered(j, event, later, first, second, &wanted))
                continue;
            const swp_overlap overlap = swp_flow_footprint_overlap(a, first, b, second);
            const bool sure = overlap == SWP_OVERLAP && (first == second || unknown < 0) &&
                              conflict->order == SWP_ORDER_MATTERS;
            if (overlap == SWP_APART || (found && !sure))
                continue;
            conflict->waves[0] = first;
            conflict->waves[1] = second;
            conflict->barriers_wanted = wanted;
            conflict->certain = sure;
            conflict->lag_unknown = first != second ? unknown : -1;
            found = true;
            if (sure || !can_be_sure)
                return true;
        }
    return found;
}

static swp_status check_pair(judge *j, int event, int own, int index)
{
    if (!j->point.flights[event].present ||
        !swp_code_accesses_lds(swp_flow_event_insn(&j->trace->events, event)))
        return SWP_OK;
    swp_conflict conflict = conflict_with(j, SWP_STALE_READ, index, event);
    conflict.order = swp_flow_lds_order_of(j->trace, event, own, &conflict.kind);
    if (conflict.order == SWP_ORDER_FREE || is_settled(j, event, own, index, conflict.kind) ||
        !find_waves(j, event, own, insn_at(j, index), &conflict))
        return SWP_OK;
    return add(j, &conflict);
}

/* Whether the most barriers that are told apart are enough, however far waves lag. */
static bool are_most_barriers_enough(const judge *j)
{
    const swp_lag *lag = &j->lags->items[j->block];
    const int waves = j->trace->values.threads / SWP_WAVE;
    int most = 0;
    for (int w = 0; w < waves; w++)
        most = lag->barriers[w] > most ? lag->barriers[w] : most;
    return lag->unknown < 0 && 1 + most <= SWP_MOST_BARRIERS;
}

/* Two waves at the same instruction: nothing orders them, whatever the one does first. */
static swp_status check_at_once(judge *j, int index, int own)
{
    const int waves = j->trace->values.threads / SWP_WAVE;
    const swp_wave_set come = j->trace->branches.come[j->block];
    const swp_footprint *footprint = &j->trace->footprints[own];
    swp_conflict conflict = {.at = index,
                             .other = index,
                             .event = own,
                             .own = own,
                             .counter = -1,
                             .parted = -1,
                             .lag_unknown = -1,
                             .at_once = true,
                             .flight.wait = -1};
    conflict.order = swp_flow_lds_order_of(j->trace, own, own, &conflict.kind);
    if (conflict.order == SWP_ORDER_FREE || swp_flow_writes_one_value(j->trace, &j->point, index))
        return SWP_OK;
    for (int first = 0; first < waves; first++)
        for (int second = first + 1; second < waves; second++) {
            const swp_overlap overlap =
                swp_flow_footprint_overlap(footprint, first, footprint, second);
            if (!(come >> first & come >> second & 1U) || overlap == SWP_APART)
                continue;
            conflict.waves[0] = first;
            conflict.waves[1] = second;
            return add(j, &conflict);
        }
    return SWP_OK;
}

static swp_status check_lds(judge *j, int index)
{
    const swp_event_list *flying = &j->point.flying;
    const swp_event_list *resting = &j->point.resting;
    const int own = swp_flow_fixpoint_event(j->trace, index, j->copy);
    if (!swp_code_accesses_lds(insn_at(j, index)))
        return SWP_OK;
    if (!are_most_barriers_enough(j)) {
        for (int e = 0; e < j->trace->events.count; e++)
            SWP_TRY(check_pair(j, e, own, index));
        SWP_TRY(swp_keep_on(j->trace->ctx, STEPS_OF_A_PAIR * (uint64_t)j->trace->events.count));
        return check_at_once(j, index, own);
    }
    for (int f = 0, r = 0; f < flying->count || r < resting->count;) {
        const bool flies =
            r == resting->count || (f < flying->count && flying->items[f] < resting->items[r]);
        SWP_TRY(check_pair(j, flies ? flying->items[f++] : resting->items[r++], own, index));
    }
    SWP_TRY(
        swp_keep_on(j->trace->ctx, STEPS_OF_A_PAIR * (uint64_t)(flying->count + resting->count)));
    return check_at_once(j, index, own);
}

/* --- the whole function --- */

/*
 * A loop that was followed as several passes may be left after any of them, as far as is known: what
 * goes wrong after some only is not certain.
 */
static void weigh_copies(judge *j, const swp_block *block)
{
    unsigned reached = 0;
    for (int copy = 0; copy < j->trace->copies; copy++)
        reached |= swp_flow_fixpoint_point(j->trace, j->block, copy)->reached ? 1U << copy : 0;
    for (size_t i = 0; i < j->out->count; i++) {
        swp_conflict *conflict = &j->out->items[i];
        if (conflict->at < block->first || conflict->at >= block->end || !conflict->certain)
            continue;
        conflict->turns_matter = block->loop < 0 && conflict->copies != reached;
        conflict->certain = !conflict->turns_matter;
    }
}

static swp_status judge_block(judge *j)
{
    const swp_block *b = &j->trace->flow->blocks[j->block];
    swp_flow_point_copy(j->trace, &j->point, swp_flow_fixpoint_point(j->trace, j->block, j->copy));
    for (int insn = b->first; insn < b->end && j->point.reached; insn++) {
        SWP_TRY(check_registers(j, insn));
        SWP_TRY(check_implied(j, insn));
        SWP_TRY(check_lds(j, insn));
        swp_flow_fixpoint_step(j->trace, &j->point, insn, j->copy);
    }
    return SWP_OK;
}

static int compare_conflicts(const void *a, const void *b)
{
    const swp_conflict *first = a;
    const swp_conflict *second = b;
    return first->at != second->at ? first->at - second->at : (int)first->kind - (int)second->kind;
}

swp_status swp_flow_judge(swp_trace *trace, const swp_lags *lags, swp_conflict_list *out)
{
    judge j = {.trace = trace, .lags = lags, .out = out};
    const size_t insns = (size_t)(trace->flow->function->end - trace->flow->function->first);
    SWP_TRY(swp_flow_point_new(trace, &j.point));
    SWP_TRY(SWP_TAKE(trace->ctx, insns * SWP_HAZARD_KINDS, &j.known));
    for (j.block = 0; j.block < trace->flow->block_count; j.block++) {
        for (j.copy = 0; j.copy < trace->copies; j.copy++)
            SWP_TRY(judge_block(&j));
        weigh_copies(&j, &trace->flow->blocks[j.block]);
    }
    SWP_TRY(swp_flow_judge_ways(trace, lags, out));
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, compare_conflicts);
    return trace->values.status;
}
