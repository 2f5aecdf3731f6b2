/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/flights.h"

const swp_insn *swp_event_insn(const swp_event_table *events, int event)
{
    return &events->code->insns.items[events->items[event].insn];
}

bool swp_flight_in_flight(const swp_flight *flight)
{
    return flight->present && (flight->waiting[SWP_AUDIT_VM] || flight->waiting[SWP_AUDIT_LGKM]);
}

int swp_event_registers(const swp_event_table *events, int event, int *first)
{
    const swp_insn *insn = swp_event_insn(events, event);
    *first = insn->operands[0].first;
    return insn->destinations ? insn->operands[0].count : 0;
}

uint32_t swp_event_overlap(const swp_event_table *events, int event, const swp_operand *operand)
{
    int first = 0;
    const int count = swp_event_registers(events, event, &first);
    uint32_t bits = 0;
    if (operand->kind != SWP_OPERAND_REGISTERS)
        return 0;
    for (int i = 0; i < count; i++)
        if (first + i >= operand->first && first + i < operand->first + operand->count)
            bits |= 1U << i;
    return bits;
}

/*
 * Once retired, only what LDS accesses conflict with is worth following. No number of barriers is
 * enough to let it go: how far waves lag is looked at later.
 */
static void drop_if_done(const swp_event_table *events, swp_flight *flights, int event)
{
    swp_flight *flight = &flights[event];
    if (swp_flight_in_flight(flight))
        return;
    if (!swp_accesses_lds(swp_event_insn(events, event)))
        *flight = (swp_flight){.wait = -1};
}

/*
 * A wait for n leaves n accesses outstanding. One that retires in order is done if n such ones came
 * after it, whatever else is outstanding; one that does not, only if nothing is.
 */
static bool is_done(const swp_event_table *events, int event, const swp_flight *flight, int counter,
                    int outstanding)
{
    const bool in_order = swp_insn_traits_of(swp_event_insn(events, event)->kind)->in_order;
    return outstanding == 0 || (in_order && flight->after[counter] >= outstanding);
}

/* `wait` is the instruction that waits; -1: none does, the counter is full. */
static void retire(const swp_event_table *events, swp_flight *flights, int counter, int outstanding,
                   int wait)
{
    for (int e = 0; e < events->count; e++) {
        swp_flight *flight = &flights[e];
        if (!flight->present || !flight->waiting[counter])
            continue;
        if (is_done(events, e, flight, counter, outstanding)) {
            flight->waiting[counter] = false;
            drop_if_done(events, flights, e);
        } else if (wait >= 0) {
            flight->wait = wait;
            flight->wait_after = flight->after[counter];
        }
    }
}

static void issue(const swp_event_table *events, swp_flight *flights, int event)
{
    const swp_insn *insn = swp_event_insn(events, event);
    const swp_insn_traits *traits = swp_insn_traits_of(insn->kind);
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++) {
        if (!traits->counted[c])
            continue;
        for (int e = 0; e < events->count; e++)
            if (traits->in_order && flights[e].present && flights[e].waiting[c] &&
                flights[e].after[c] < UINT8_MAX)
                flights[e].after[c]++;
        /* At a full counter the issue stalls until the oldest access is done. */
        retire(events, flights, c, events->code->counter_max[c], -1);
    }
    int first = 0;
    const int count = swp_event_registers(events, event, &first);
    const uint32_t all = count >= 32 ? UINT32_MAX : (1U << count) - 1;
    flights[event] = (swp_flight){.present = true, .untouched = all, .wait = -1};
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
        flights[event].waiting[c] = traits->counted[c];
}

static void meet_barrier(const swp_event_table *events, swp_flight *flights)
{
    for (int e = 0; e < events->count; e++)
        if (flights[e].present && !swp_flight_in_flight(&flights[e]) &&
            flights[e].barriers < SWP_MOST_BARRIERS)
            flights[e].barriers++;
}

/* A register that is used counts as there: a fault is reported once. */
static void touch(const swp_event_table *events, swp_flight *flights, const swp_insn *insn)
{
    for (int e = 0; e < events->count; e++)
        for (int i = 0; flights[e].present && flights[e].untouched && i < insn->operand_count; i++)
            flights[e].untouched &= ~swp_event_overlap(events, e, &insn->operands[i]);
}

void swp_flights_run(const swp_event_table *events, swp_flight *flights, int insn, int event)
{
    const swp_insn *at = &events->code->insns.items[insn];
    if (at->kind == SWP_INSN_BARRIER) {
        meet_barrier(events, flights);
    } else if (at->kind == SWP_INSN_WAIT) {
        for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
            if (at->waits[c] != SWP_NO_WAIT && at->waits[c] < events->code->counter_max[c])
                retire(events, flights, c, at->waits[c], insn);
    } else {
        touch(events, flights, at);
        if (event >= 0)
            issue(events, flights, event);
    }
}

static uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static bool same_flight(const swp_flight *a, const swp_flight *b)
{
    return a->present == b->present && a->waiting[0] == b->waiting[0] &&
           a->waiting[1] == b->waiting[1] && a->after[0] == b->after[0] &&
           a->after[1] == b->after[1] && a->barriers == b->barriers &&
           a->untouched == b->untouched && a->wait == b->wait && a->wait_after == b->wait_after;
}

/* What is retired on one path only is not, and then the other path's count holds. */
static void join_counter(swp_flight *into, const swp_flight *from, int counter)
{
    if (!from->waiting[counter])
        return;
    into->after[counter] = into->waiting[counter]
                               ? least(into->after[counter], from->after[counter])
                               : from->after[counter];
    into->waiting[counter] = true;
}

bool swp_flights_join(const swp_event_table *events, swp_flight *into, const swp_flight *from)
{
    bool changed = false;
    for (int e = 0; e < events->count; e++) {
        swp_flight joined = into[e];
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
