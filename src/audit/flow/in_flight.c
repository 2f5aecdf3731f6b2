/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/flow/in_flight.h"

const swp_insn *swp_flow_event_insn(const swp_event_table *events, int event)
{
    return &events->code->insns.items[events->items[event].insn];
}

bool swp_flow_is_in_flight(const swp_flow_flight *flight)
{
    return flight->present && (flight->waiting[SWP_AUDIT_VM] || flight->waiting[SWP_AUDIT_LGKM]);
}

int swp_flow_event_registers(const swp_event_table *events, int event, int *first)
{
    const swp_insn *insn = swp_flow_event_insn(events, event);
    *first = insn->operands[0].first;
    return insn->destinations ? insn->operands[0].count : 0;
}

uint32_t swp_flow_event_overlap(const swp_event_table *events, int event,
                                const swp_operand *operand)
{
    int first = 0;
    const int count = swp_flow_event_registers(events, event, &first);
    uint32_t bits = 0;
    if (operand->kind != SWP_OPERAND_REGISTERS)
        return 0;
    for (int i = 0; i < count; i++)
        if (first + i >= operand->first && first + i < operand->first + operand->count)
            bits |= 1U << i;
    return bits;
}

static void insert(swp_event_list *list, int event)
{
    int at = list->count++;
    for (; at > 0 && list->items[at - 1] > event; at--)
        list->items[at] = list->items[at - 1];
    list->items[at] = event;
}

static void take_out(swp_event_list *list, int event)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (list->items[i] != event)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

static bool is_resting(const swp_flow_flight *flight)
{
    return flight->present && !swp_flow_is_in_flight(flight) &&
           flight->barriers < SWP_MOST_BARRIERS;
}

void swp_flow_in_flight_list(const swp_event_table *events, swp_point *point)
{
    point->flying.count = 0;
    point->resting.count = 0;
    for (int e = 0; e < events->count; e++) {
        if (swp_flow_is_in_flight(&point->flights[e]))
            point->flying.items[point->flying.count++] = e;
        else if (is_resting(&point->flights[e]))
            point->resting.items[point->resting.count++] = e;
    }
}

/*
 * Once retired, only what LDS accesses conflict with is worth following. No number of barriers is
 * enough to let it go: how far waves lag is looked at later.
 */
static void drop_if_done(const swp_event_table *events, swp_point *point, int event)
{
    swp_flow_flight *flight = &point->flights[event];
    if (swp_flow_is_in_flight(flight))
        return;
    flight->untouched = 0;
    if (!swp_code_accesses_lds(swp_flow_event_insn(events, event)))
        *flight = (swp_flow_flight){.wait = -1};
    else if (is_resting(flight))
        insert(&point->resting, event);
}

/*
 * A wait for n leaves n accesses outstanding. One that retires in order is done if n such ones came
 * after it, whatever else is outstanding; one that does not, only if nothing is.
 */
static bool is_done(const swp_event_table *events, int event, const swp_flow_flight *flight,
                    int counter, int outstanding)
{
    const bool in_order =
        swp_code_insn_traits_of(swp_flow_event_insn(events, event)->kind)->in_order;
    return outstanding == 0 || (in_order && flight->after[counter] >= outstanding);
}

/* `wait` is the instruction that waits; -1: none does, the counter is full. */
static void retire(const swp_event_table *events, swp_point *point, int counter, int outstanding,
                   int wait)
{
    int kept = 0;
    for (int i = 0; i < point->flying.count; i++) {
        const int e = point->flying.items[i];
        swp_flow_flight *flight = &point->flights[e];
        if (flight->waiting[counter] && is_done(events, e, flight, counter, outstanding)) {
            flight->waiting[counter] = false;
            drop_if_done(events, point, e);
        } else if (flight->waiting[counter] && wait >= 0) {
            flight->wait = wait;
            flight->wait_after = flight->after[counter];
        }
        if (swp_flow_is_in_flight(flight))
            point->flying.items[kept++] = e;
    }
    point->flying.count = kept;
}

/* One more access after those that its counter retires in order. */
static void count_issue(swp_point *point, int counter)
{
    for (int i = 0; i < point->flying.count; i++) {
        swp_flow_flight *flight = &point->flights[point->flying.items[i]];
        if (flight->waiting[counter] && flight->after[counter] < UINT8_MAX)
            flight->after[counter]++;
    }
}

static void issue(const swp_event_table *events, swp_point *point, int event)
{
    const swp_insn *insn = swp_flow_event_insn(events, event);
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++) {
        if (!traits->counted[c])
            continue;
        if (traits->in_order)
            count_issue(point, c);
        /* At a full counter the issue stalls until the oldest access is done. */
        retire(events, point, c, events->code->counter_max[c], -1);
    }
    int first = 0;
    const int count = swp_flow_event_registers(events, event, &first);
    const uint32_t all = count >= 32 ? UINT32_MAX : (1U << count) - 1;
    take_out(&point->flying, event);
    take_out(&point->resting, event);
    point->flights[event] = (swp_flow_flight){.present = true, .untouched = all, .wait = -1};
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
        point->flights[event].waiting[c] = traits->counted[c];
    insert(&point->flying, event);
}

static void meet_barrier(swp_point *point)
{
    int kept = 0;
    for (int i = 0; i < point->resting.count; i++) {
        const int e = point->resting.items[i];
        if (++point->flights[e].barriers < SWP_MOST_BARRIERS)
            point->resting.items[kept++] = e;
    }
    point->resting.count = kept;
}

/* A register that is used counts as there: a fault is reported once. */
static void touch(const swp_event_table *events, swp_point *point, const swp_insn *insn)
{
    for (int i = 0; i < point->flying.count; i++) {
        const int e = point->flying.items[i];
        swp_flow_flight *flight = &point->flights[e];
        for (int o = 0; flight->untouched && o < insn->operand_count; o++)
            flight->untouched &= ~swp_flow_event_overlap(events, e, &insn->operands[o]);
    }
}

void swp_flow_in_flight_run(const swp_event_table *events, swp_point *point, int insn, int event)
{
    const swp_insn *at = &events->code->insns.items[insn];
    if (at->kind == SWP_INSN_BARRIER) {
        meet_barrier(point);
    } else if (at->kind == SWP_INSN_WAIT) {
        for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
            if (at->waits[c] != SWP_NO_WAIT && at->waits[c] < events->code->counter_max[c])
                retire(events, point, c, at->waits[c], insn);
    } else {
        touch(events, point, at);
        if (event >= 0)
            issue(events, point, event);
    }
}

static uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static bool same_flight(const swp_flow_flight *a, const swp_flow_flight *b)
{
    return a->present == b->present && a->waiting[0] == b->waiting[0] &&
           a->waiting[1] == b->waiting[1] && a->after[0] == b->after[0] &&
           a->after[1] == b->after[1] && a->barriers == b->barriers &&
           a->untouched == b->untouched && a->wait == b->wait && a->wait_after == b->wait_after;
}

/* What is retired on one path only is not, and then the other path's count holds. */
static void join_counter(swp_flow_flight *into, const swp_flow_flight *from, int counter)
{
    if (!from->waiting[counter])
        return;
    into->after[counter] = into->waiting[counter]
                               ? least(into->after[counter], from->after[counter])
                               : from->after[counter];
    into->waiting[counter] = true;
}

bool swp_flow_in_flight_join(const swp_event_table *events, swp_flow_flight *into,
                             const swp_flow_flight *from)
{
    bool changed = false;
    for (int e = 0; e < events->count; e++) {
        swp_flow_flight joined = into[e];
        if (!from[e].present)
            continue;
        if (!joined.present) {
            joined = from[e];
        } else {
            for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
                join_counter(&joined, &from[e], c);
            joined.barriers = least(joined.barriers, from[e].barriers);
            joined.untouched |= from[e].untouched;
            joined.wait = joined.wait > from[e].wait ? joined.wait : from[e].wait;
            joined.wait_after = least(joined.wait_after, from[e].wait_after);
        }
        changed |= !same_flight(&joined, &into[e]);
        into[e] = joined;
    }
    return changed;
}
