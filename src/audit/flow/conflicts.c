/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/flow/conflicts.h"

#include "audit/flow/divergent_paths.h"
#include "base/budget.h"

#include <stdlib.h>

enum { STEPS_OF_A_PAIR = 32 };

typedef struct judge {
    swp_fixpoint *fixpoint;
    const swp_lags *lags;
    swp_conflict_list *out;
    swp_point point;
    size_t *known; /* by instruction of the function and kind: 1 + its conflict; 0: none */
    int block;
    int copy;
} judge;

static const swp_insn *insn_at(const judge *j, int index)
{
    return &j->fixpoint->flow->code->insns.items[index];
}

static size_t *known_at(const judge *j, int insn, swp_hazard_kind kind)
{
    const int index = insn - j->fixpoint->flow->function->first;
    return &j->known[(size_t)index * SWP_HAZARD_KINDS + (size_t)kind];
}

/* One for each instruction and kind: the first, unless only a later one is certain. */
static swp_status add(judge *j, swp_conflict *conflict)
{
    size_t *at = known_at(j, conflict->at, conflict->kind);
    conflict->copies = conflict->certain ? 1U << j->copy : 0;
    if (*at == 0) {
        *at = j->out->count + 1;
        return SWP_PUSH(j->fixpoint->ctx, j->out, *conflict);
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
    const swp_footprint *footprints = j->fixpoint->footprints;
    const size_t at = *known_at(j, insn, kind);
    if (at == 0)
        return false;
    const bool certain = j->out->items[at - 1].copies >> j->copy & 1U;
    return certain || !footprints[event].known || !footprints[own].known;
}

static int waiting_counter(const swp_access_state *access)
{
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
        if (access->waiting[c])
            return c;
    return -1;
}

static swp_conflict conflict_with(const judge *j, swp_hazard_kind kind, int insn, int event)
{
    const swp_access_state *access = &j->point.accesses[event];
    const int counter = waiting_counter(access);
    return (swp_conflict){
        .kind = kind,
        .certain = true,
        .at = insn,
        .other = j->fixpoint->events.items[event].insn,
        .event = event,
        .own = swp_flow_fixpoint_event(j->fixpoint, insn, j->copy),
        .access = *access,
        .counter = counter,
        .lag_unknown = -1,
        .divergent_branch = -1,
        .out_of_order =
            !swp_code_insn_traits_of(swp_flow_event_insn(&j->fixpoint->events, event)->kind)
                 ->in_order};
}

/* --- registers --- */

/* Vector memory writes registers in the order of issue: a later load may follow an earlier one. */
static bool follows_in_order(const judge *j, const swp_insn *insn, int operand, int event)
{
    return operand < insn->destinations && insn->kind == SWP_INSN_LOAD &&
           swp_flow_event_insn(&j->fixpoint->events, event)->kind == SWP_INSN_LOAD;
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
    for (int i = 0; i < j->point.in_flight.count; i++) {
        const int e = j->point.in_flight.items[i];
        if (!(swp_flow_event_overlap(&j->fixpoint->events, e, &operand) &
              j->point.accesses[e].unused))
            continue;
        swp_conflict conflict = conflict_with(j, SWP_REGISTER_NOT_READY, index, e);
        /* The text names the registers as the load does. */
        conflict.operand = &swp_flow_event_insn(&j->fixpoint->events, e)->operands[0];
        SWP_TRY(add(j, &conflict));
    }
    return SWP_OK;
}

static swp_status check_registers(judge *j, int index)
{
    const swp_insn *insn = insn_at(j, index);
    for (int f = 0; f < j->point.in_flight.count; f++) {
        const int e = j->point.in_flight.items[f];
        const swp_access_state *access = &j->point.accesses[e];
        if (!access->unused)
            continue;
        for (int i = 0; i < insn->operand_count; i++) {
            if (!(swp_flow_event_overlap(&j->fixpoint->events, e, &insn->operands[i]) &
                  access->unused) ||
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
    const swp_access_state *access = &j->point.accesses[event];
    const swp_insn *earlier = swp_flow_event_insn(&j->fixpoint->events, event);
    const swp_lag *at = &j->lags->items[j->block];
    const int *lag = at->barriers;
    *barriers_wanted = first == second ? 0 : 1 + lag[first] - lag[second];
    if (first == second)
        return !swp_flow_is_in_flight(access) || (is_ds(earlier->kind) && is_ds(later->kind));
    return !swp_flow_is_in_flight(access) && at->unknown < 0 &&
           access->barriers >= *barriers_wanted;
}

/*
 * The waves that the conflict is about: the first pair that surely is in it, or that may be. Returns
 * false if there is none.
 */
static bool find_waves(const judge *j, int event, int own, const swp_insn *later,
                       swp_conflict *conflict)
{
    const swp_footprint *a = &j->fixpoint->footprints[event];
    const swp_footprint *b = &j->fixpoint->footprints[own];
    const int waves = j->fixpoint->values.threads / SWP_WAVE;
    const int unknown = j->lags->items[j->block].unknown;
    const int insn = j->fixpoint->events.items[event].insn;
    const swp_wave_set *reaching = j->fixpoint->branches.reaching;
    const swp_wave_set other = reaching[swp_flow_block_of(j->fixpoint->flow, insn)];
    const bool can_be_sure = a->known && b->known;
    bool found = false;
    for (int first = 0; first < waves; first++)
        for (int second = 0; second < waves; second++) {
            int wanted = 0;
            if (!(other >> first & reaching[j->block] >> second & 1U) ||
                ordered(j, event, later, first, second, &wanted))
                continue;
            const swp_overlap overlap = swp_flow_footprint_overlap(a, first, b, second);
            const bool sure = overlap == SWP_OVERLAP && (first == second || unknown < 0) &&
                              conflict->order == SWP_ORDER_MATTERS;
            if (overlap == SWP_DISJOINT || (found && !sure))
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
    if (!j->point.accesses[event].present ||
        !swp_code_accesses_lds(swp_flow_event_insn(&j->fixpoint->events, event)))
        return SWP_OK;
    swp_conflict conflict = conflict_with(j, SWP_STALE_READ, index, event);
    conflict.order = swp_flow_lds_order_of(j->fixpoint, event, own, &conflict.kind);
    if (conflict.order == SWP_ORDER_FREE || is_settled(j, event, own, index, conflict.kind) ||
        !find_waves(j, event, own, insn_at(j, index), &conflict))
        return SWP_OK;
    return add(j, &conflict);
}

/* Whether the most barriers that are told apart are enough, however far waves lag. */
static bool are_most_barriers_enough(const judge *j)
{
    const swp_lag *lag = &j->lags->items[j->block];
    const int waves = j->fixpoint->values.threads / SWP_WAVE;
    int most = 0;
    for (int w = 0; w < waves; w++)
        most = lag->barriers[w] > most ? lag->barriers[w] : most;
    return lag->unknown < 0 && 1 + most <= SWP_MOST_BARRIERS;
}

/* Two waves at the same instruction: nothing orders them, whatever the one does first. */
static swp_status check_at_once(judge *j, int index, int own)
{
    const int waves = j->fixpoint->values.threads / SWP_WAVE;
    const swp_wave_set reaching = j->fixpoint->branches.reaching[j->block];
    const swp_footprint *footprint = &j->fixpoint->footprints[own];
    swp_conflict conflict = {.at = index,
                             .other = index,
                             .event = own,
                             .own = own,
                             .counter = -1,
                             .divergent_branch = -1,
                             .lag_unknown = -1,
                             .at_once = true,
                             .access.wait = -1};
    conflict.order = swp_flow_lds_order_of(j->fixpoint, own, own, &conflict.kind);
    if (conflict.order == SWP_ORDER_FREE ||
        swp_flow_writes_one_value(j->fixpoint, &j->point, index))
        return SWP_OK;
    for (int first = 0; first < waves; first++)
        for (int second = first + 1; second < waves; second++) {
            const swp_overlap overlap =
                swp_flow_footprint_overlap(footprint, first, footprint, second);
            if (!(reaching >> first & reaching >> second & 1U) || overlap == SWP_DISJOINT)
                continue;
            conflict.waves[0] = first;
            conflict.waves[1] = second;
            return add(j, &conflict);
        }
    return SWP_OK;
}

static swp_status check_lds(judge *j, int index)
{
    const swp_event_list *in_flight = &j->point.in_flight;
    const swp_event_list *retired = &j->point.retired;
    const int own = swp_flow_fixpoint_event(j->fixpoint, index, j->copy);
    if (!swp_code_accesses_lds(insn_at(j, index)))
        return SWP_OK;
    if (!are_most_barriers_enough(j)) {
        for (int e = 0; e < j->fixpoint->events.count; e++)
            SWP_TRY(check_pair(j, e, own, index));
        SWP_TRY(
            swp_keep_on(j->fixpoint->ctx, STEPS_OF_A_PAIR * (uint64_t)j->fixpoint->events.count));
        return check_at_once(j, index, own);
    }
    for (int f = 0, r = 0; f < in_flight->count || r < retired->count;) {
        const bool from_in_flight =
            r == retired->count ||
            (f < in_flight->count && in_flight->items[f] < retired->items[r]);
        SWP_TRY(check_pair(j, from_in_flight ? in_flight->items[f++] : retired->items[r++], own,
                           index));
    }
    SWP_TRY(swp_keep_on(j->fixpoint->ctx,
                        STEPS_OF_A_PAIR * (uint64_t)(in_flight->count + retired->count)));
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
    for (int copy = 0; copy < j->fixpoint->copies; copy++)
        reached |= swp_flow_fixpoint_point(j->fixpoint, j->block, copy)->reached ? 1U << copy : 0;
    for (size_t i = 0; i < j->out->count; i++) {
        swp_conflict *conflict = &j->out->items[i];
        if (conflict->at < block->first || conflict->at >= block->end || !conflict->certain)
            continue;
        conflict->iterations_matter = block->loop < 0 && conflict->copies != reached;
        conflict->certain = !conflict->iterations_matter;
    }
}

static swp_status judge_block(judge *j)
{
    const swp_block *b = &j->fixpoint->flow->blocks[j->block];
    swp_flow_point_copy(j->fixpoint, &j->point,
                        swp_flow_fixpoint_point(j->fixpoint, j->block, j->copy));
    for (int insn = b->first; insn < b->end && j->point.reached; insn++) {
        SWP_TRY(check_registers(j, insn));
        SWP_TRY(check_implied(j, insn));
        SWP_TRY(check_lds(j, insn));
        swp_flow_fixpoint_transfer(j->fixpoint, &j->point, insn, j->copy);
    }
    return SWP_OK;
}

static int compare_conflicts(const void *a, const void *b)
{
    const swp_conflict *first = a;
    const swp_conflict *second = b;
    return first->at != second->at ? first->at - second->at : (int)first->kind - (int)second->kind;
}

swp_status swp_flow_find_conflicts(swp_fixpoint *fixpoint, const swp_lags *lags,
                                   swp_conflict_list *out)
{
    judge j = {.fixpoint = fixpoint, .lags = lags, .out = out};
    const size_t insns = (size_t)(fixpoint->flow->function->end - fixpoint->flow->function->first);
    SWP_TRY(swp_flow_point_new(fixpoint, &j.point));
    SWP_TRY(SWP_TAKE(fixpoint->ctx, insns * SWP_HAZARD_KINDS, &j.known));
    for (j.block = 0; j.block < fixpoint->flow->block_count; j.block++) {
        for (j.copy = 0; j.copy < fixpoint->copies; j.copy++)
            SWP_TRY(judge_block(&j));
        weigh_copies(&j, &fixpoint->flow->blocks[j.block]);
    }
    SWP_TRY(swp_flow_find_divergent_conflicts(fixpoint, lags, out));
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, compare_conflicts);
    return fixpoint->values.status;
}
