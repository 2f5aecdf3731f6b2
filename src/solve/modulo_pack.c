/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fills slot after slot from the first: the node that can start soonest comes next, so that no room
 * is lost before it. That fills a unit that has no cycle to spare, where placing nodes one by one
 * leaves odd gaps. Later tries change the order of nodes that can start at the same slot.
 */
#include "solve/modulo_place.h"

#include "base/random.h"

/* All tries together look for room so often; there are at most so many tries. */
enum { MOST_LOOKS = 2000000, MOST_TRIES = 24 };

typedef struct packing {
    swp_modulo_placer *placer;
    int64_t longest; /* cycles of any use */
    int64_t *length; /* of each node: its longest use */
    int64_t *key;    /* of each node: among equal slots the largest comes first */
    uint64_t random;
} packing;

typedef struct place {
    int node;
    bool urgent; /* its window is too narrow to wait for its slot */
    int64_t slot;
    int64_t time;
} place;

static int64_t draw(packing *p, int64_t below)
{
    return (int64_t)swp_random_below(&p->random, (uint64_t)below);
}

static swp_status packing_new(swp_context *ctx, swp_modulo_placer *placer, packing *p)
{
    const swp_modulo_core *core = placer->core;
    *p = (packing){.placer = placer, .random = SWP_RANDOM_SEED};
    SWP_TRY(SWP_TAKE(ctx, (size_t)core->count + 1, &p->length));
    SWP_TRY(SWP_TAKE(ctx, (size_t)core->count + 1, &p->key));
    for (int n = 0; n < core->count; n++) {
        const swp_problem_op *op = &core->graph->problem->ops[core->ops[n]];
        for (size_t u = 0; u < op->use_count; u++)
            if (op->uses[u].cycles > p->length[n])
                p->length[n] = op->uses[u].cycles;
        p->longest = p->length[n] > p->longest ? p->length[n] : p->longest;
    }
    return SWP_OK;
}

/* Ranks nodes that are bound to others first, then long ones. Each further try leaves more to chance. */
static void set_keys(packing *p, int try)
{
    const swp_modulo_core *core = p->placer->core;
    const int64_t chance = 1 + p->longest * try / 4;
    for (int n = 0; n < core->count; n++) {
        const bool bound = core->first[n] != core->first[n + 1];
        p->key[n] = (bound ? p->longest : 0) + p->length[n] + draw(p, chance);
    }
}

/*
 * Finds the first time from the next slot 0 on or, if none has room, before it. Returns false if
 * the window has no room at all.
 */
static bool first_slot(const packing *p, int node, place *out)
{
    const swp_modulo_placer *placer = p->placer;
    const int64_t interval = placer->core->interval;
    const int op = placer->core->ops[node];
    int64_t low = 0;
    int64_t high = 0;
    const bool bound = swp_solve_modulo_window(placer, node, &low, &high);
    const int64_t slot = ((low % interval) + interval) % interval;
    const int64_t turn = slot == 0 ? low : low + interval - slot;
    out->node = node;
    out->urgent = bound && high - low < p->longest;
    if (!swp_solve_profile_first_fit(&placer->profile, op, turn, high, &out->time) &&
        !swp_solve_profile_first_fit(&placer->profile, op, low, turn - 1 < high ? turn - 1 : high,
                                     &out->time))
        return false;
    out->slot = ((out->time % interval) + interval) % interval;
    return true;
}

static bool comes_before(const packing *p, const place *a, const place *b)
{
    if (a->urgent != b->urgent)
        return a->urgent;
    if (a->slot != b->slot)
        return a->slot < b->slot;
    return p->key[a->node] > p->key[b->node];
}

/* Chooses the next place; returns false if a node has no time left. */
static bool choose(const packing *p, place *best)
{
    const swp_modulo_placer *placer = p->placer;
    best->node = -1;
    for (int node = 0; node < placer->core->count; node++) {
        place here;
        if (placer->placed[node])
            continue;
        if (!first_slot(p, node, &here))
            return false;
        if (best->node < 0 || comes_before(p, &here, best))
            *best = here;
    }
    return true;
}

static swp_status try_once(swp_context *ctx, const packing *p, bool *found)
{
    *found = false;
    swp_solve_modulo_clear(p->placer);
    while (swp_budget_spend(p->placer->budget)) {
        place next;
        if (!choose(p, &next))
            return SWP_OK;
        if (next.node < 0) {
            *found = true;
            return SWP_OK;
        }
        SWP_TRY(swp_solve_modulo_put(ctx, p->placer, next.node, next.time));
    }
    return SWP_OK;
}

swp_status swp_solve_modulo_pack(swp_context *ctx, swp_modulo_placer *placer, bool *found)
{
    const int64_t count = placer->core->count;
    const int64_t tries = MOST_LOOKS / (count * count + 1);
    packing p;
    *found = false;
    SWP_TRY(packing_new(ctx, placer, &p));
    for (int try = 0; try < MOST_TRIES && try < tries && !*found && !placer->budget->stopped;
         try++) {
        set_keys(&p, try);
        SWP_TRY(try_once(ctx, &p, found));
    }
    return SWP_OK;
}
