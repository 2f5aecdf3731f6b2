/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses of a symbolic run: those in flight, by the counters that retire them, and those to LDS, between whose barriers
 * conflicts show.
 */
#include "audit/flow/symbolic_state.h"

#include <limits.h>

enum { NOT_RETIRED = INT_MAX };

void swp_flow_symbolic_retire(swp_symbolic_state *t, swp_symbolic_group *g, int counter,
                              int outstanding)
{
    int kept = 0;
    for (int i = 0; i < g->flight_count; i++) {
        swp_symbolic_flight *f = &g->flights[i];
        const bool in_order =
            swp_code_insn_traits_of(swp_flow_symbolic_insn(t, f->insn)->kind)->in_order;
        if (f->waiting[counter] &&
            (outstanding == 0 || (in_order && f->after[counter] >= outstanding)))
            f->waiting[counter] = false;
        if (f->waiting[SWP_AUDIT_VM] || f->waiting[SWP_AUDIT_LGKM])
            g->flights[kept++] = *f;
        else if (f->traced >= 0)
            t->traces[f->traced].retired = g->barriers;
    }
    g->flight_count = kept;
}

bool swp_flow_symbolic_issue(swp_symbolic_state *t, swp_symbolic_group *g, int index, int traced_as)
{
    const swp_insn *insn = swp_flow_symbolic_insn(t, index);
    const swp_insn_traits *traits = swp_code_insn_traits_of(insn->kind);
    swp_symbolic_flight new = {.insn = index,
                               .event = swp_flow_fixpoint_event(t->watch->fixpoint, index, 0),
                               .unused = UINT32_MAX,
                               .traced = traced_as};
    for (int c = 0; c < SWP_AUDIT_COUNTERS; c++) {
        new.waiting[c] = traits->counted[c];
        if (!traits->counted[c])
            continue;
        for (int i = 0; i < g->flight_count && traits->in_order; i++)
            g->flights[i].after[c] += g->flights[i].waiting[c];
        swp_flow_symbolic_retire(t, g, c, t->flow->code->counter_max[c]);
    }
    if (g->flight_count == SWP_MOST_FLIGHTS || new.event < 0)
        return false;
    g->flights[g->flight_count++] = new;
    return true;
}

/* The first conflict of an instruction, or of one behind it: they are in the order of the code. */
static size_t first_conflict(const swp_symbolic_state *t, int at)
{
    const swp_conflict_list *conflicts = t->watch->conflicts;
    size_t first = 0;
    size_t end = conflicts->count;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (conflicts->items[middle].at < at)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static void show_register(swp_symbolic_state *t, int at)
{
    swp_conflict_list *conflicts = t->watch->conflicts;
    for (size_t i = first_conflict(t, at); i < conflicts->count && conflicts->items[i].at == at;
         i++)
        if (conflicts->items[i].operand)
            conflicts->items[i].shown = true;
}

void swp_flow_symbolic_use(swp_symbolic_state *t, swp_symbolic_group *g, int index)
{
    const swp_insn *insn = swp_flow_symbolic_insn(t, index);
    const swp_event_table *events = &t->watch->fixpoint->events;
    const swp_operand implied = swp_flow_implied_operand(insn);
    for (int i = 0; i < g->flight_count; i++) {
        swp_symbolic_flight *f = &g->flights[i];
        if (!f->unused)
            continue;
        const bool loads = swp_flow_symbolic_insn(t, f->insn)->kind == SWP_INSN_LOAD;
        if (f->unused & swp_flow_event_overlap(events, f->event, &implied))
            show_register(t, index);
        for (int o = 0; o < insn->operand_count; o++) {
            const uint32_t used =
                f->unused & swp_flow_event_overlap(events, f->event, &insn->operands[o]);
            if (used && !(o < insn->destinations && insn->kind == SWP_INSN_LOAD && loads))
                show_register(t, index);
            f->unused &= ~used;
        }
    }
}

static bool is_ds(const swp_insn *insn)
{
    return insn->kind == SWP_INSN_LDS_READ || insn->kind == SWP_INSN_LDS_WRITE ||
           insn->kind == SWP_INSN_LDS_ATOMIC;
}

static bool overlap(const swp_symbolic_access *x, int first, const swp_symbolic_access *y,
                    int second)
{
    return swp_flow_footprint_overlap(&x->footprint, first, &y->footprint, second) == SWP_OVERLAP;
}

/* An access that nobody has waited for, in one wave. */
static void show_within_wave(swp_symbolic_state *t, const swp_symbolic_group *g,
                             const swp_symbolic_access *later)
{
    swp_conflict_list *conflicts = t->watch->conflicts;
    const swp_insn *insn = swp_flow_symbolic_insn(t, later->insn);
    for (int i = 0; i < g->flight_count; i++) {
        const swp_symbolic_flight *f = &g->flights[i];
        if (f->traced < 0 || (is_ds(swp_flow_symbolic_insn(t, f->insn)) && is_ds(insn)))
            continue;
        for (size_t c = first_conflict(t, later->insn);
             c < conflicts->count && conflicts->items[c].at == later->insn; c++) {
            swp_conflict *conflict = &conflicts->items[c];
            if (conflict->operand || conflict->other != f->insn)
                continue;
            for (int w = 0; w < t->values.threads / SWP_WAVE; w++)
                conflict->shown |=
                    (g->waves >> w & 1U) && overlap(&t->traces[f->traced], w, later, w);
        }
    }
}

/* How often a wave has run the first one's instruction before the second. */
static int occurrences(const swp_symbolic_state *t, const swp_symbolic_access *of, int wave,
                       const swp_symbolic_access *before)
{
    int count = 0;
    for (int i = 0; i < t->trace_count; i++)
        count += t->traces[i].insn == of->insn && (t->traces[i].waves >> wave & 1U) &&
                 t->traces[i].position < before->position;
    return count;
}

/* Whether the program has them in this order, be they in one pass of a loop or not. */
static bool is_earlier(const swp_symbolic_state *t, const swp_symbolic_access *x, int first,
                       const swp_symbolic_access *y, int second)
{
    if (x->waves == y->waves)
        return x->position < y->position;
    return occurrences(t, x, first, x) < occurrences(t, x, second, y);
}

/* Whether the first may come after the second, which it should not, or at the same time. */
static bool goes_wrong(const swp_symbolic_state *t, const swp_symbolic_access *x, int first,
                       const swp_symbolic_access *y, int second)
{
    if (y->issued > x->retired)
        return false;
    return x->issued <= y->retired || is_earlier(t, x, first, y, second);
}

static bool shows_between_waves(const swp_symbolic_state *t, const swp_symbolic_access *x,
                                const swp_symbolic_access *y)
{
    const int waves = t->values.threads / SWP_WAVE;
    for (int first = 0; first < waves; first++)
        for (int second = 0; second < waves; second++)
            if (first != second && (x->waves >> first & y->waves >> second & 1U) &&
                overlap(x, first, y, second) && goes_wrong(t, x, first, y, second))
                return true;
    return false;
}

void swp_flow_symbolic_compare_waves(const swp_symbolic_state *t)
{
    swp_conflict_list *conflicts = t->watch->conflicts;
    for (size_t c = 0; c < conflicts->count; c++) {
        swp_conflict *conflict = &conflicts->items[c];
        for (int x = 0; x < t->trace_count && !conflict->operand && !conflict->shown; x++)
            for (int y = 0; y < t->trace_count && t->traces[x].insn == conflict->other; y++)
                if (t->traces[y].insn == conflict->at &&
                    shows_between_waves(t, &t->traces[x], &t->traces[y])) {
                    conflict->shown = true;
                    break;
                }
    }
}

swp_status swp_flow_symbolic_trace(swp_symbolic_state *t, swp_symbolic_group *g, int index, int *as)
{
    const swp_insn *insn = swp_flow_symbolic_insn(t, index);
    *as = -1;
    if (!swp_code_accesses_lds(insn) || t->trace_count >= t->trace_end ||
        !t->watch->accessed[index - t->flow->function->first])
        return SWP_OK;
    swp_symbolic_access *new = &t->traces[t->trace_count];
    *new = (swp_symbolic_access){.insn = index,
                                 .event = swp_flow_fixpoint_event(t->watch->fixpoint, index, 0),
                                 .waves = g->waves,
                                 .position = g->position,
                                 .issued = g->barriers,
                                 .retired = NOT_RETIRED};
    SWP_TRY(swp_flow_footprint_of(t->ctx, &t->values, &g->registers, &insn->lds, g->waves,
                                  &new->footprint));
    show_within_wave(t, g, new);
    *as = t->trace_count++;
    return SWP_OK;
}
