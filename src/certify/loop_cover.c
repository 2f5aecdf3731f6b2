/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches for slot counts that no refutation covers. Such counts exceed every refuted list in some
 * value. The search starts from the least slots, and picks a refuted list that they do not exceed
 * yet. It makes one value after the other exceed the list, and caps the values before it, so that
 * no counts are visited twice. Where nothing is left to exceed, the counts are the least open ones
 * of their branch. Of values that have equally many slots the first one stands for all.
 */
#include "certify/loop_cover.h"

#include "certify/loop_edges.h"
#include "certify/loop_instances.h"

/* A branching makes the values of `way`, from `value` on, exceed it one after the other. */
typedef struct branching {
    const int *way;
    int value;      /* -1: none yet */
    int low_before; /* what `value` had before */
    size_t capped;  /* caps before this branching */
} branching;

typedef struct branching_list {
    branching *items;
    size_t count;
    size_t capacity;
} branching_list;

typedef struct cap {
    int value;
    int high_before;
} cap;

typedef struct cap_list {
    cap *items;
    size_t count;
    size_t capacity;
} cap_list;

typedef struct cover_walk {
    swp_context *ctx;
    swp_judgement *judgement;
    const swp_slot_space *space;
    swp_slot_pool pool;
    int *first; /* of each value: the one whose slots it shares, or itself */
    int *low;   /* the counts from here to `high` are searched */
    int *high;
    branching_list branchings;
    cap_list caps;
} cover_walk;

static bool is_affordable(const cover_walk *w)
{
    const swp_loop *loop = w->space->loop;
    int64_t bytes[SWP_SPACE_COUNT] = {0};
    for (size_t v = 0; v < loop->value_count; v++)
        bytes[loop->values[v].space] += loop->values[v].bytes * w->low[v];
    for (int s = 0; s < SWP_SPACE_COUNT; s++)
        if (w->space->bytes[s] >= 0 && bytes[s] > w->space->bytes[s])
            return false;
    for (int role = 0; role < (int)loop->role_count; role++) {
        const int64_t budget = swp_certify_role_budget(loop, role);
        if (budget >= 0 && swp_certify_role_bytes(loop, role, w->low) > budget)
            return false;
    }
    return true;
}

static bool exceeds(const int *slots, const int *way, size_t count)
{
    for (size_t v = 0; v < count; v++)
        if (way[v] > 0 && slots[v] > way[v])
            return true;
    return false;
}

static bool can_exceed(const cover_walk *w, const int *way, size_t value)
{
    return way[value] > 0 && w->high[value] > way[value];
}

/*
 * Of the lists that are not exceeded, chooses the one that the fewest values can exceed; NULL: all
 * are exceeded.
 */
static swp_status choose_way(cover_walk *w, const int **out)
{
    const size_t values = w->space->loop->value_count;
    size_t fewest = SIZE_MAX;
    *out = NULL;
    for (size_t i = 0; i < w->pool.count && fewest > 0; i++) {
        const int *way = w->pool.items[i];
        SWP_TRY(swp_certify_spend(w->judgement, 1 + values));
        if (exceeds(w->low, way, values))
            continue;
        size_t branches = 0;
        for (size_t v = 0; v < values; v++)
            branches += can_exceed(w, way, v);
        if (branches < fewest) {
            fewest = branches;
            *out = way;
        }
    }
    return SWP_OK;
}

static void set_low(cover_walk *w, int value, int low)
{
    for (size_t v = 0; v < w->space->loop->value_count; v++)
        if (w->first[v] == value)
            w->low[v] = low;
}

static void leave_branching(cover_walk *w)
{
    const size_t capped = w->branchings.items[--w->branchings.count].capped;
    while (w->caps.count > capped) {
        const cap last = w->caps.items[--w->caps.count];
        w->high[last.value] = last.high_before;
    }
}

/* Goes on to the next value that can exceed the list; `*more` is false if there is none. */
static swp_status next_branch(cover_walk *w, branching *b, bool *more)
{
    const int values = (int)w->space->loop->value_count;
    if (b->value >= 0) {
        const cap done = {b->value, w->high[b->value]};
        SWP_TRY(SWP_PUSH(w->ctx, &w->caps, done));
        set_low(w, b->value, b->low_before);
        w->high[b->value] = b->way[b->value];
    }
    do
        b->value++;
    while (b->value < values && !can_exceed(w, b->way, (size_t)b->value));
    *more = b->value < values;
    if (*more) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): taken for all values */
        b->low_before = w->low[b->value];
        set_low(w, b->value, b->way[b->value] + 1);
    }
    return SWP_OK;
}

/*
 * Looks at the counts from `low` to `high`: drops them if none is affordable, branches on them, or
 * sets `*open`.
 */
static swp_status enter(cover_walk *w, const int **open)
{
    branching b = {.value = -1, .capped = w->caps.count};
    if (!is_affordable(w))
        return SWP_OK;
    SWP_TRY(choose_way(w, &b.way));
    if (b.way)
        return SWP_PUSH(w->ctx, &w->branchings, b);
    *open = w->low;
    return SWP_OK;
}

/* Values that have equally many slots exceed a list with the first one that does. */
static swp_status add_way(cover_walk *w, const int *way)
{
    const size_t values = w->space->loop->value_count;
    int *own = NULL;
    SWP_TRY(SWP_TAKE(w->ctx, values + 1, &own));
    for (size_t v = 0; v < values; v++) {
        int *of_first = &own[w->first[v]];
        if (way[v] > 0 && (*of_first == 0 || way[v] < *of_first))
            *of_first = way[v];
    }
    return SWP_PUSH(w->ctx, &w->pool, own);
}

swp_status swp_certify_find_open_way(swp_context *ctx, swp_judgement *judgement,
                                     const swp_slot_space *space, const swp_slot_pool *pool,
                                     const int **open)
{
    const size_t values = space->loop->value_count;
    cover_walk w = {.ctx = ctx, .judgement = judgement, .space = space};
    *open = NULL;
    SWP_TRY(SWP_TAKE(ctx, values + 1, &w.first));
    SWP_TRY(SWP_TAKE(ctx, values + 1, &w.low));
    SWP_TRY(SWP_TAKE(ctx, values + 1, &w.high));
    for (size_t v = 0; v < values; v++) {
        w.first[v] = swp_certify_slots_with(space->loop, (int)v);
        w.low[v] = space->least[v];
        w.high[v] = space->most[v];
    }
    for (size_t i = 0; i < pool->count; i++)
        SWP_TRY(add_way(&w, pool->items[i]));
    SWP_TRY(enter(&w, open));
    while (!*open && w.branchings.count > 0) {
        bool more = false;
        SWP_TRY(next_branch(&w, &w.branchings.items[w.branchings.count - 1], &more));
        if (more)
            SWP_TRY(enter(&w, open));
        else
            leave_branching(&w);
    }
    return SWP_OK;
}
