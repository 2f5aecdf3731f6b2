/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a formula as clauses: times in the order encoding (Crawford and Baker 1994; Tamura et al.
 * 2009), and resources indexed by time, with a sum over groups (Bofill, Coll, Suy, Villaret 2017).
 * docs/certificates.md defines each clause.
 */
#include "solve/clauses.h"

#include "base/budget.h"
#include "solve/slot_sweep.h"

#include <limits.h>
#include <stdlib.h>

/* Literals that are true or false by their definition. */
#define ALWAYS INT_MAX
#define NEVER (-INT_MAX)

enum { MOST_VARIABLES = 1 << 27, MOST_SUMS = 1 << 16, STEPS_OF_A_CLAUSE = 16 };

/* A sum that the groups so far can reach. `variable` is 0 if the remaining groups cannot make it too large. */
typedef struct sum {
    int64_t value;
    int variable;
} sum;

typedef struct sum_list {
    sum *items;
    size_t count;
    size_t capacity;
} sum_list;

typedef struct sum_member {
    int use;
    int64_t amount;
} sum_member;

/* The members at one slot, group by group. */
typedef struct member_list {
    sum_member *items;
    size_t count;
    size_t capacity;
} member_list;

typedef struct writer {
    swp_context *ctx;
    const swp_encoding *e;
    swp_clause_sink *sink;
    void *user;
    swp_formula *out;
    swp_budget budget;
    int **occupies; /* [use][time - lo]; uses of one op with the same cycles share a row */
    swp_slot_sweep sweep;
    member_list members;
    swp_indices group_ends; /* into the members */
    int64_t *rest;          /* [group]: the most that it and those after it can add, then 0 */
    sum_list sums;
    sum_list next;
} writer;

static void put(writer *w, const int *literals, int count)
{
    int kept[SWP_MOST_LITERALS];
    int n = 0;
    w->out->complete = w->out->complete && swp_budget_keep(&w->budget, STEPS_OF_A_CLAUSE);
    for (int i = 0; i < count; i++) {
        if (literals[i] == ALWAYS)
            return;
        if (literals[i] != NEVER)
            kept[n++] = literals[i];
    }
    if (!w->out->complete)
        return;
    w->out->clauses++;
    w->out->complete = w->sink(w->user, kept, n);
}

#define PUT(w, ...)                                                                                \
    put((w), (const int[]){__VA_ARGS__}, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)))

static int make_variable(writer *w)
{
    if (w->out->variables >= MOST_VARIABLES)
        w->out->complete = false;
    else
        w->out->variables++;
    return w->out->variables;
}

static int at_least(const writer *w, int op, int64_t time)
{
    if (time <= w->e->lo[op])
        return ALWAYS;
    if (time > w->e->hi[op])
        return NEVER;
    return w->out->first[op] + (int)(time - w->e->lo[op] - 1);
}

static void write_times(writer *w)
{
    const swp_encoding *e = w->e;
    const int count = (int)e->graph->problem->op_count;
    for (int op = 0; op < count; op++) {
        if (!e->encoded[op])
            continue;
        w->out->first[op] = w->out->variables + 1;
        w->out->variables += (int)(e->hi[op] - e->lo[op]);
    }
    for (int op = 0; op < count; op++)
        for (int64_t k = e->lo[op] + 2; e->encoded[op] && k <= e->hi[op] && w->out->complete; k++)
            PUT(w, -at_least(w, op, k), at_least(w, op, k - 1));
}

static void write_edges(writer *w)
{
    const swp_encoding *e = w->e;
    for (size_t i = 0; i < e->edges.count; i++) {
        const swp_encoding_edge *edge = &e->edges.items[i];
        for (int64_t k = e->lo[edge->producer]; k <= e->hi[edge->producer] && w->out->complete; k++)
            PUT(w, -at_least(w, edge->producer, k), at_least(w, edge->consumer, k + edge->weight));
    }
}

/* Returns the first time from `lo` on that falls into the slot. */
static int64_t first_time(const swp_encoding *e, int op, int64_t slot)
{
    if (!e->period)
        return slot;
    const int64_t ahead = (slot - e->lo[op]) % e->period;
    return e->lo[op] + (ahead < 0 ? ahead + e->period : ahead);
}

static int occupied(writer *w, int use, int64_t slot)
{
    const swp_encoding *e = w->e;
    const int op = e->uses[use].op;
    int *variable = &w->occupies[use][first_time(e, op, slot) - e->lo[op]];
    const int known = *variable;
    if (known)
        return known;
    const int64_t cycles = swp_solve_part_cycles(e, use);
    *variable = make_variable(w);
    for (int64_t x = first_time(e, op, slot); x <= e->hi[op] + cycles - 1; x += e->period) {
        PUT(w, *variable, -at_least(w, op, x - cycles + 1), at_least(w, op, x + 1));
        if (!e->period)
            break;
    }
    return *variable;
}

static swp_status collect_members(writer *w)
{
    w->members.count = 0;
    w->group_ends.count = 0;
    for (size_t i = 0; i < w->sweep.open.count; i++) {
        const swp_slot_span *s = &w->sweep.open.items[i];
        if (i > 0 && s->group != s[-1].group)
            SWP_TRY(SWP_PUSH(w->ctx, &w->group_ends, (int)w->members.count));
        const sum_member found = {s->use, w->e->uses[s->use].use->amount};
        SWP_TRY(SWP_PUSH(w->ctx, &w->members, found));
    }
    if (w->members.count > 0)
        SWP_TRY(SWP_PUSH(w->ctx, &w->group_ends, (int)w->members.count));
    return SWP_OK;
}

static void write_pairs(writer *w, int64_t most, int64_t slot)
{
    int begin = 0;
    for (size_t i = 0; i < w->group_ends.count; begin = w->group_ends.items[i++])
        for (int a = begin; a < w->group_ends.items[i] && w->out->complete; a++)
            for (int b = a + 1; b < w->group_ends.items[i]; b++) {
                const sum_member *x = &w->members.items[a];
                const sum_member *y = &w->members.items[b];
                if (x->amount + y->amount <= most)
                    continue;
                const int first = occupied(w, x->use, slot);
                PUT(w, -first, -occupied(w, y->use, slot));
            }
}

/* Sets rest[i] to the sum of the largest amounts of the groups from i on. */
static void sum_rests(writer *w)
{
    size_t i = w->group_ends.count;
    w->rest[i] = 0;
    while (i-- > 0) {
        int64_t largest = 0;
        for (int m = i > 0 ? w->group_ends.items[i - 1] : 0; m < w->group_ends.items[i]; m++)
            if (w->members.items[m].amount > largest)
                largest = w->members.items[m].amount;
        w->rest[i] = w->rest[i + 1] + largest;
    }
}

static int compare_sums(const void *a, const void *b)
{
    const sum *x = a;
    const sum *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static void sort_sums(sum_list *sums)
{
    size_t kept = 0;
    qsort(sums->items, sums->count, sizeof *sums->items, compare_sums);
    for (size_t i = 0; i < sums->count; i++)
        if (kept == 0 || sums->items[kept - 1].value != sums->items[i].value)
            sums->items[kept++] = sums->items[i];
    sums->count = kept;
}

/*
 * Lists the sums that are possible after a group. A sum gets a variable if the remaining groups can
 * still make it too large.
 */
static swp_status reach(writer *w, int begin, int end, int64_t most, int64_t rest)
{
    w->next.count = 0;
    for (size_t i = 0; i < w->sums.count; i++)
        SWP_TRY(SWP_PUSH(w->ctx, &w->next, ((sum){w->sums.items[i].value, 0})));
    for (int m = begin; m < end && w->out->complete; m++) {
        const int64_t amount = w->members.items[m].amount;
        bool seen = false;
        for (int k = begin; k < m && !seen; k++)
            seen = w->members.items[k].amount == amount;
        for (size_t i = 0; !seen && i < w->sums.count; i++)
            if (w->sums.items[i].value + amount <= most)
                SWP_TRY(SWP_PUSH(w->ctx, &w->next, ((sum){w->sums.items[i].value + amount, 0})));
        /* Sums that repeat must not fill the memory, so they are merged now and then. */
        if (w->next.count > (size_t)2 * MOST_SUMS)
            sort_sums(&w->next);
        w->out->complete = w->out->complete && w->next.count <= (size_t)2 * MOST_SUMS &&
                           swp_budget_keep(&w->budget, w->sums.count);
    }
    sort_sums(&w->next);
    if (w->next.count > MOST_SUMS)
        w->out->complete = false;
    for (size_t i = 1; i < w->next.count; i++)
        if (w->next.items[i].value + rest > most)
            w->next.items[i].variable = make_variable(w);
    return SWP_OK;
}

static int next_sum(const writer *w, int64_t value)
{
    const sum wanted = {value, 0};
    const sum *found =
        bsearch(&wanted, w->next.items, w->next.count, sizeof *w->next.items, compare_sums);
    return found->variable;
}

static void add_group(writer *w, int begin, int end, int64_t most, int64_t rest, int64_t slot)
{
    for (size_t i = 1; i < w->sums.count; i++)
        if (w->sums.items[i].variable && w->sums.items[i].value + rest > most)
            PUT(w, -w->sums.items[i].variable, next_sum(w, w->sums.items[i].value));
    for (int m = begin; m < end && w->out->complete; m++)
        for (size_t i = 0; i < w->sums.count; i++) {
            const sum_member *added = &w->members.items[m];
            const int64_t value = w->sums.items[i].value + added->amount;
            if (!w->sums.items[i].variable || value + rest <= most)
                continue;
            const int held = occupied(w, added->use, slot);
            PUT(w, -held, -w->sums.items[i].variable, value > most ? NEVER : next_sum(w, value));
        }
}

static swp_status write_sums(writer *w, int64_t most, int64_t slot)
{
    sum_rests(w);
    if (w->rest[0] <= most)
        return SWP_OK;
    w->sums.count = 0;
    SWP_TRY(SWP_PUSH(w->ctx, &w->sums, ((sum){0, ALWAYS})));
    int begin = 0;
    for (size_t i = 0; i < w->group_ends.count && w->out->complete; i++) {
        const int end = w->group_ends.items[i];
        SWP_TRY(reach(w, begin, end, most, w->rest[i + 1]));
        add_group(w, begin, end, most, w->rest[i + 1], slot);
        const sum_list old = w->sums;
        w->sums = w->next;
        w->sums.items[0].variable = ALWAYS;
        w->next = old;
        begin = end;
    }
    return SWP_OK;
}

static int64_t left_by_whole_periods(const swp_encoding *e, int resource)
{
    int64_t most = e->graph->problem->resources[resource].capacity;
    const swp_group_list *groups = &e->groups[resource];
    for (size_t i = 0; e->period && i < groups->count; i++)
        for (size_t k = 0; k < groups->items[i].count; k++) {
            const swp_problem_use *use = e->uses[groups->items[i].items[k]].use;
            most -= use->amount * (use->cycles / e->period);
        }
    return most;
}

static swp_status write_resource(writer *w, int resource)
{
    const swp_group_list *groups = &w->e->groups[resource];
    const int64_t most = left_by_whole_periods(w->e, resource);
    if (most < 0) {
        put(w, NULL, 0);
        return SWP_OK;
    }
    SWP_TRY(SWP_TAKE(w->ctx, groups->count + 2, &w->rest));
    SWP_TRY(swp_solve_slot_sweep_begin(w->ctx, w->e, groups, &w->sweep));
    for (int64_t slot = w->e->first; slot <= w->e->last && w->out->complete; slot++) {
        w->out->complete = swp_budget_keep(&w->budget, 1 + w->sweep.open.count);
        SWP_TRY(swp_solve_slot_sweep_to(w->ctx, &w->sweep, slot));
        SWP_TRY(collect_members(w));
        write_pairs(w, most, slot);
        SWP_TRY(write_sums(w, most, slot));
    }
    return SWP_OK;
}

/* Uses of one op that last equally long are held at the same times, so they share their variables. */
static swp_status share_occupancy(writer *w)
{
    const swp_encoding *e = w->e;
    SWP_TRY(SWP_TAKE(w->ctx, e->use_count + 1, &w->occupies));
    for (size_t i = 0; i < e->use_count; i++) {
        const int op = e->uses[i].op;
        const int64_t cycles = swp_solve_part_cycles(e, (int)i);
        if (!e->encoded[op] || cycles == 0)
            continue;
        for (size_t k = i; k-- > 0 && e->uses[k].op == op && !w->occupies[i];)
            if (swp_solve_part_cycles(e, (int)k) == cycles)
                w->occupies[i] = w->occupies[k];
        const int64_t held = e->hi[op] - e->lo[op] + cycles;
        const int64_t slots = e->period && e->period < held ? e->period : held;
        if (!w->occupies[i])
            SWP_TRY(SWP_TAKE(w->ctx, (size_t)slots, &w->occupies[i]));
    }
    return SWP_OK;
}

swp_status swp_solve_write_clauses(swp_context *ctx, const swp_encoding *encoding,
                                   swp_clause_sink *sink, void *user, swp_formula *out)
{
    writer w = {.ctx = ctx,
                .e = encoding,
                .sink = sink,
                .user = user,
                .out = out,
                .budget = swp_budget_start(ctx, 0)};
    *out = (swp_formula){.complete = true};
    SWP_TRY(SWP_TAKE(ctx, encoding->graph->problem->op_count + 1, &out->first));
    SWP_TRY(share_occupancy(&w));
    write_times(&w);
    write_edges(&w);
    for (size_t r = 0; r < encoding->graph->problem->resource_count && out->complete; r++)
        SWP_TRY(write_resource(&w, (int)r));
    return SWP_OK;
}
