/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The critical chain of a steady state: from its last entry back over what each issue waited for last, which
 * is a stall's other entry, the one before it on a unit, or the entry before it in its group. Where the chain comes
 * back to the same entry some passes earlier it goes on like that for ever, and is where the cycles come from.
 */
#include "simulate/record.h"

/* An event, and whether it matters when it ends or when it issues. */
typedef struct moment {
    int event;
    bool is_end;
} moment;

typedef struct chain {
    swp_timeline *t;
    int *before;     /* by event: the one before it in its group; -1: none */
    int *last_stall; /* by event: -1: none */
    int *behind;     /* by event: a use of its that waited for its unit; -1: none */
    int *last_made;  /* by event: who made last what it reads; -1: none */
    moment *walked;
    size_t count;
} chain;

/* A crossing comes behind what the barrier waited for. */
static bool is_named(const swp_timeline_stall *stall)
{
    return stall->other >= 0;
}

static void index_stalls(chain *c)
{
    for (size_t i = 0; i < c->t->stalls.count; i++)
        if (is_named(&c->t->stalls.items[i]))
            c->last_stall[c->t->stalls.items[i].event] = (int)i;
}

static void index_uses(chain *c)
{
    for (size_t i = 0; i < c->t->uses.count; i++)
        if (c->t->uses.items[i].behind >= 0)
            c->behind[c->t->uses.items[i].event] = c->t->uses.items[i].behind;
}

static void index_flows(chain *c)
{
    const swp_timeline_event *events = c->t->events.items;
    for (size_t i = 0; i < c->t->flows.count; i++) {
        const swp_timeline_flow *flow = &c->t->flows.items[i];
        int *last = &c->last_made[flow->reader];
        if (*last < 0 || events[flow->maker].finished > events[*last].finished)
            *last = flow->maker;
    }
}

static swp_status index_groups(swp_context *ctx, chain *c)
{
    int *last = NULL;
    SWP_TRY(SWP_TAKE(ctx, c->t->group_count, &last));
    for (size_t g = 0; g < c->t->group_count; g++)
        last[g] = -1;
    for (size_t i = 0; i < c->t->events.count; i++) {
        const int group = c->t->events.items[i].group;
        c->before[i] = last[group];
        last[group] = (int)i;
    }
    return SWP_OK;
}

static swp_status index_chain(swp_context *ctx, chain *c)
{
    const size_t count = c->t->events.count;
    SWP_TRY(SWP_TAKE(ctx, count, &c->before));
    SWP_TRY(SWP_TAKE(ctx, count, &c->last_stall));
    SWP_TRY(SWP_TAKE(ctx, count, &c->behind));
    SWP_TRY(SWP_TAKE(ctx, count, &c->last_made));
    SWP_TRY(SWP_TAKE(ctx, 2 * count, &c->walked));
    for (size_t i = 0; i < count; i++)
        c->last_stall[i] = c->behind[i] = c->last_made[i] = -1;
    index_stalls(c);
    index_uses(c);
    index_flows(c);
    return index_groups(ctx, c);
}

/* What the moment had to wait for. */
static moment back(const chain *c, moment at)
{
    const swp_timeline_event *event = &c->t->events.items[at.event];
    if (at.is_end && event->granted > event->issued) {
        const int behind = c->behind[at.event];
        return (moment){behind >= 0 ? behind : c->last_made[at.event], true};
    }
    const int stall = c->last_stall[at.event];
    if (stall >= 0)
        return (moment){c->t->stalls.items[stall].other, true};
    return (moment){c->before[at.event], false};
}

static bool is_same_entry(const swp_timeline_event *a, const swp_timeline_event *b)
{
    return a->group == b->group && a->at.phase == b->at.phase && a->at.entry == b->at.entry;
}

/* How many moments ago the walk was where it is now, some passes later; 0: it was not. */
static size_t repeats_after(const chain *c)
{
    const moment last = c->walked[c->count - 1];
    const swp_timeline_event *event = &c->t->events.items[last.event];
    for (size_t i = c->count - 1; i > 0; i--) {
        const swp_timeline_event *later = &c->t->events.items[c->walked[i - 1].event];
        if (c->walked[i - 1].is_end == last.is_end && is_same_entry(later, event) &&
            (later->pass - event->pass) % c->t->steady_passes == 0)
            return c->count - i;
    }
    return 0;
}

static void mark(chain *c, size_t first)
{
    for (size_t i = first; i < c->count; i++) {
        const moment at = c->walked[i];
        swp_timeline_event *event = &c->t->events.items[at.event];
        event->is_critical = true;
        const bool by_unit = at.is_end && event->granted > event->issued;
        if (!by_unit && c->last_stall[at.event] >= 0)
            c->t->stalls.items[c->last_stall[at.event]].is_critical = true;
    }
}

/* The last kernel entry of all. */
static int last_of_kernel(const swp_timeline *t)
{
    int last = -1;
    for (size_t i = 0; i < t->events.count; i++)
        if (t->events.items[i].at.phase == SWP_KERNEL && t->events.items[i].at.entry >= 0)
            last = (int)i;
    return last;
}

/* Walks to the start of the steady interval; a chain that does not come back explains nothing. */
swp_status swp_simulate_mark_critical(swp_context *ctx, swp_timeline *t)
{
    chain c = {.t = t};
    size_t repeat = 0;
    size_t first = 0; /* what comes back begins there: before it, the chain is on its way to that */
    moment at = {last_of_kernel(t), false};
    if (at.event < 0)
        return SWP_OK;
    SWP_TRY(index_chain(ctx, &c));
    while (at.event >= 0 && c.count < 2 * t->events.count) {
        const swp_timeline_event *event = &t->events.items[at.event];
        c.walked[c.count++] = at;
        if (repeat == 0 && event->at.phase == SWP_KERNEL) {
            repeat = repeats_after(&c);
            first = c.count - 1 - repeat;
        }
        if (repeat > 0 && event->issued < t->steady_from)
            break;
        at = back(&c, at);
    }
    if (repeat > 0)
        mark(&c, first);
    return SWP_OK;
}
