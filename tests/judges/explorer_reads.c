/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "explorer_report.h"

/* What a fragment load is there for. */
typedef struct purpose {
    int read;
    int compute;
    int tile;
    int source; /* the last step before it whose tile it saw, else the first after it; -1: none */
} purpose;

/* Something wrong with a fragment load. */
typedef struct fault {
    swp_hazard_kind kind;
    int at;
    int shows; /* the step at which it does */
    int source;
    int read;
} fault;

typedef struct fault_list {
    fault *items;
    size_t count;
    size_t capacity;
} fault_list;

static const step *step_at(const reporter *r, int at)
{
    return &r->list->items[at];
}

static void note(fault_list *list, const purpose *p, swp_hazard_kind kind, int at, int source)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 16;
        list->items = realloc(list->items, list->capacity * sizeof(*list->items));
        if (!list->items)
            abort();
    }
    const int shows = at > p->compute ? at : p->compute;
    list->items[list->count++] = (fault){kind, at, shows, source, p->read};
}

/* --- What a load is there for --- */

static int last_seen(const reporter *r, int read, int tile)
{
    const sight_list *seen = &step_at(r, read)->seen;
    int last = -1;
    for (size_t i = 0; i < seen->count; i++) {
        const int source = seen->items[i].source;
        if (source > last && source < read && step_at(r, source)->tile == tile)
            last = source;
    }
    return last;
}

static int next_source(const reporter *r, int read, int tile)
{
    for (int i = read + 1; i < r->list->count; i++)
        if (step_at(r, i)->place == step_at(r, read)->place && step_at(r, i)->write >= 0 &&
            step_at(r, i)->tile == tile && step_at(r, i)->issued)
            return i;
    return -1;
}

static bool is_reader(const reporter *r, int at, int read)
{
    const step *s = step_at(r, at);
    return s->kind == STEP_COMPUTE && s->counts && s->issued &&
           (s->producers[0] == read || s->producers[1] == read);
}

/* Reports the COMPUTEs for which the load is not there. */
static purpose find_purpose(const reporter *r, int read)
{
    purpose p = {.read = read, .tile = NO_TILE, .source = -1};
    int held = NO_TILE;
    for (int i = read + 1; i < r->list->count; i++) {
        const int tile = step_at(r, i)->tile;
        if (!is_reader(r, i, read) || tile == held)
            continue;
        held = tile;
        if (p.source >= 0) {
            if (tile != p.tile)
                report_at(r, i, SWP_WRONG_TILE);
            continue;
        }
        p.source = last_seen(r, read, tile);
        if (p.source < 0)
            p.source = next_source(r, read, tile);
        p.tile = tile;
        p.compute = i;
        if (p.source < 0)
            report_at(r, i, SWP_WRONG_TILE);
    }
    return p;
}

/* --- What it saw instead --- */

static bool was_there(const reporter *r, const sight *seen, int source)
{
    return seen->arrived >> step_at(r, source)->write & 1;
}

/* What happened to a step's tile in one view. */
typedef struct record {
    bool seen;    /* it was found */
    bool missed;  /* the load came before the step took effect */
    bool present; /* it came after */
} record;

static record look_up(const reporter *r, int read, int view, int source)
{
    const sight_list *seen = &step_at(r, read)->seen;
    record out = {false, false, false};
    for (size_t i = 0; i < seen->count; i++) {
        if (seen->items[i].view != view)
            continue;
        const bool arrived = was_there(r, &seen->items[i], source);
        out.seen |= seen->items[i].source == source;
        out.missed |= !arrived;
        out.present |= arrived;
    }
    return out;
}

/* Whether something older than the source was found in a view. */
static bool saw_older(const reporter *r, const purpose *p, int view)
{
    const sight_list *seen = &step_at(r, p->read)->seen;
    for (size_t i = 0; i < seen->count; i++) {
        const int source = seen->items[i].source;
        if (seen->items[i].view == view && source < p->source &&
            (source < 0 || step_at(r, source)->tile != p->tile))
            return true;
    }
    return false;
}

static void judge_view(const reporter *r, const purpose *p, int view, fault_list *faults)
{
    const record wanted = look_up(r, p->read, view, p->source);
    const bool replaced = !wanted.seen && !wanted.missed;
    if (!replaced && saw_older(r, p, view)) {
        if (wanted.missed)
            note(faults, p, SWP_STALE_READ, p->read, p->source);
        else
            note(faults, p, SWP_WRITE_RACE, p->source, p->source);
    }
    for (int i = p->source + 1; i < r->list->count; i++) {
        const step *s = step_at(r, i);
        if (s->place != step_at(r, p->read)->place || s->write < 0 || s->tile == p->tile ||
            !s->issued)
            continue;
        const record newer = look_up(r, p->read, view, i);
        if (newer.present && (i > p->read || newer.missed || replaced))
            note(faults, p, SWP_OVERWRITTEN, i, i);
        else if (newer.present && wanted.seen)
            note(faults, p, SWP_WRITE_RACE, i, i);
    }
}

static void judge_read(const reporter *r, int read, fault_list *faults)
{
    const purpose p = find_purpose(r, read);
    if (p.source > read)
        note(faults, &p, SWP_STALE_READ, read, p.source);
    else if (p.source >= 0)
        for (int view = 0; view < VIEWS; view++)
            judge_view(r, &p, view, faults);
}

/* --- Once --- */

static int in_order(const void *a, const void *b)
{
    const fault *x = a;
    const fault *y = b;
    if (x->shows != y->shows)
        return x->shows - y->shows;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->at - y->at;
}

static void report_once(const reporter *r, const fault_list *faults)
{
    const size_t steps = (size_t)r->list->count;
    bool *brought = explorer_allocate(steps, sizeof(*brought));
    bool *right = explorer_allocate(steps, sizeof(*right));
    if (faults->count > 0)
        qsort(faults->items, faults->count, sizeof(*faults->items), in_order);
    for (size_t i = 0; i < faults->count; i++) {
        const fault *f = &faults->items[i];
        if (right[f->read])
            continue;
        if (f->kind != SWP_OVERWRITTEN && brought[f->source]) {
            right[f->read] = f->source > f->read;
            continue;
        }
        report_at(r, f->at, f->kind);
        brought[f->source] = true;
        right[f->read] = true;
    }
    free(brought);
    free(right);
}

void report_reads(const reporter *r)
{
    fault_list faults = {0};
    for (int i = 0; i < r->list->count; i++)
        if (step_at(r, i)->observed && step_at(r, i)->kind == STEP_FRAGMENT &&
            step_at(r, i)->seen.count > 0)
            judge_read(r, i, &faults);
    report_once(r, &faults);
    free(faults.items);
}
