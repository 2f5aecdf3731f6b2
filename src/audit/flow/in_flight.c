/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What waits, barriers and further accesses do to accesses in flight, as transfer functions, and their
 * join: the score brackets of LLVM's SIInsertWaitcnts, kept for each access.
 */
#include "audit/flow/in_flight.h"

const swp_insn *swp_flow_event_insn(const swp_event_table *events, int event)
{
    return &events->code->insns.items[events->items[event].insn];
}

bool swp_flow_is_in_flight(const swp_access_state *access)
{
    return access->present && (access->waiting[SWP_AUDIT_VM] || access->waiting[SWP_AUDIT_LGKM]);
}

int swp_flow_waiting_counter(const swp_access_state *access)
{
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
        if (access->waiting[c])
            return c;
    return -1;
}

/* The registers that the access loads. */
static int event_registers(const swp_event_table *events, int event, int *first)
{
    const swp_insn *insn = swp_flow_event_insn(events, event);
    *first = insn->operands[0].first;
    return insn->destinations ? insn->operands[0].count : 0;
}

uint32_t swp_flow_event_overlap(const swp_event_table *events, int event,
                                const swp_operand *operand)
{
    int first = 0;
    const int count = event_registers(events, event, &first);
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

static void erase(swp_event_list *list, int event)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (list->items[i] != event)
            list->items[kept++] = list->items[i];
    list->count = kept;
}

static bool counts_barriers(const swp_access_state *access)
{
    return access->present && !swp_flow_is_in_flight(access) &&
           access->barriers < SWP_MOST_BARRIERS;
}

void swp_flow_in_flight_list(const swp_event_table *events, swp_point *point)
{
    point->in_flight.count = 0;
    point->retired.count = 0;
    for (int e = 0; e < events->count; e++) {
        if (swp_flow_is_in_flight(&point->accesses[e]))
            point->in_flight.items[point->in_flight.count++] = e;
        else if (counts_barriers(&point->accesses[e]))
            point->retired.items[point->retired.count++] = e;
    }
}

/*
 * Once retired, only what LDS accesses conflict with is worth following. No number of barriers is
 * enough to let it go: how far waves lag is looked at later.
 */
static void drop_if_retired(const swp_event_table *events, swp_point *point, int event)
{
    swp_access_state *access = &point->accesses[event];
    if (swp_flow_is_in_flight(access))
        return;
    access->unused = 0;
    if (events->one_wave || !swp_code_accesses_lds(swp_flow_event_insn(events, event)))
        *access = (swp_access_state){.wait = -1};
    else if (counts_barriers(access))
        insert(&point->retired, event);
}

/*
 * A wait for n leaves n accesses outstanding. One that retires in order is done if n such ones followed
 * it, whatever else is outstanding; one that does not, only if nothing is.
 */
static bool retires(const swp_event_table *events, int event, const swp_access_state *access,
                    int counter, int outstanding)
{
    const bool in_order =
        swp_code_insn_traits_of(swp_flow_event_insn(events, event)->kind)->in_order;
    return outstanding == 0 || (in_order && access->after[counter] >= outstanding);
}

/* `wait` is the instruction that waits; -1: none does, the counter is full. */
static void retire(const swp_event_table *events, swp_point *point, int counter, int outstanding,
                   int wait)
{
    int kept = 0;
    for (int i = 0; i < point->in_flight.count; i++) {
        const int e = point->in_flight.items[i];
        swp_access_state *access = &point->accesses[e];
        if (access->waiting[counter] && retires(events, e, access, counter, outstanding)) {
            access->waiting[counter] = false;
            drop_if_retired(events, point, e);
        } else if (access->waiting[counter] && wait >= 0) {
            access->wait = wait;
            access->wait_after = access->after[counter];
        }
        if (swp_flow_is_in_flight(access))
            point->in_flight.items[kept++] = e;
    }
    point->in_flight.count = kept;
}

/* One more access after those that its counter retires in order. */
static void count_issue(swp_point *point, int counter)
{
    for (int i = 0; i < point->in_flight.count; i++) {
        swp_access_state *access = &point->accesses[point->in_flight.items[i]];
        if (access->waiting[counter] && access->after[counter] < UINT8_MAX)
            access->after[counter]++;
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
    const int count = event_registers(events, event, &first);
    const uint32_t all = count >= 32 ? UINT32_MAX : (1U << count) - 1;
    erase(&point->in_flight, event);
    erase(&point->retired, event);
    point->accesses[event] = (swp_access_state){.present = true, .unused = all, .wait = -1};
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
        point->accesses[event].waiting[c] = traits->counted[c];
    insert(&point->in_flight, event);
}

static void pass_barrier(swp_point *point)
{
    int kept = 0;
    for (int i = 0; i < point->retired.count; i++) {
        const int e = point->retired.items[i];
        swp_access_state *access = &point->accesses[e];
        if (access->most_barriers < SWP_MOST_BARRIERS)
            access->most_barriers++;
        if (++access->barriers < SWP_MOST_BARRIERS)
            point->retired.items[kept++] = e;
    }
    point->retired.count = kept;
}

/* A register that is used counts as there: a fault is reported once. */
static void use_registers(const swp_event_table *events, swp_point *point, const swp_insn *insn)
{
    for (int i = 0; i < point->in_flight.count; i++) {
        const int e = point->in_flight.items[i];
        swp_access_state *access = &point->accesses[e];
        for (int o = 0; access->unused && o < insn->operand_count; o++)
            access->unused &= ~swp_flow_event_overlap(events, e, &insn->operands[o]);
    }
}

void swp_flow_in_flight_transfer(const swp_event_table *events, swp_point *point, int insn,
                                 int event)
{
    const swp_insn *at = &events->code->insns.items[insn];
    if (at->kind == SWP_INSN_BARRIER) {
        pass_barrier(point);
    } else if (at->kind == SWP_INSN_WAIT) {
        for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
            if (at->waits[c] != SWP_NO_WAIT && at->waits[c] < events->code->counter_max[c])
                retire(events, point, c, at->waits[c], insn);
    } else {
        use_registers(events, point, at);
        if (event >= 0)
            issue(events, point, event);
    }
}

static uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static bool same_access(const swp_access_state *a, const swp_access_state *b)
{
    return a->present == b->present && a->waiting[0] == b->waiting[0] &&
           a->waiting[1] == b->waiting[1] && a->after[0] == b->after[0] &&
           a->after[1] == b->after[1] && a->barriers == b->barriers &&
           a->most_barriers == b->most_barriers && a->unused == b->unused && a->wait == b->wait &&
           a->wait_after == b->wait_after;
}

/* What is retired on one path only is not, and then the other path's count holds. */
static void join_counter(swp_access_state *into, const swp_access_state *from, int counter)
{
    if (!from->waiting[counter])
        return;
    into->after[counter] = into->waiting[counter]
                               ? least(into->after[counter], from->after[counter])
                               : from->after[counter];
    into->waiting[counter] = true;
}

bool swp_flow_in_flight_join(const swp_event_table *events, swp_access_state *into,
                             const swp_access_state *from)
{
    bool changed = false;
    for (int e = 0; e < events->count; e++) {
        swp_access_state joined = into[e];
        if (!from[e].present)
            continue;
        if (!joined.present) {
            joined = from[e];
        } else {
            for (int c = 0; c < SWP_AUDIT_COUNTERS; c++)
                join_counter(&joined, &from[e], c);
            joined.barriers = least(joined.barriers, from[e].barriers);
            if (from[e].most_barriers > joined.most_barriers)
                joined.most_barriers = from[e].most_barriers;
            joined.unused |= from[e].unused;
            joined.wait = joined.wait > from[e].wait ? joined.wait : from[e].wait;
            joined.wait_after = least(joined.wait_after, from[e].wait_after);
        }
        changed |= !same_access(&joined, &into[e]);
        into[e] = joined;
    }
    return changed;
}
