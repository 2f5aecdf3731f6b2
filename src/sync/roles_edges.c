/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places what orders the ops of a channel: its versions are full before they are read, and their slots empty before
 * they are made again (docs/roles-proof.md, "Derivation").
 */
#include "base/diag.h"
#include "base/text.h"
#include "sync/roles.h"

#include <string.h>

typedef struct placer {
    swp_roles *r;
    int number; /* of the channel */
    const swp_role_channel *channel;
    int before; /* points before and behind the makers of version 0 */
    int after;
    int next; /* the point before what makes over version 0 */
} placer;

static swp_role_plan *maker_of(const placer *p)
{
    return &p->r->plans[p->channel->role];
}

static swp_status add(const placer *p, int role, swp_role_item item)
{
    return SWP_PUSH(p->r->ctx, &p->r->plans[role].items, item);
}

static bool is_read(const placer *p)
{
    for (int role = 0; role < p->r->plan_count; role++)
        if (p->channel->uses[role].reads)
            return true;
    return false;
}

/* The first version that is waited for before its place is made again: with output tiles the tile before has left some. */
static int first_replaced(const placer *p, int without_tiles)
{
    return p->r->output_tiles ? -p->channel->reuse : without_tiles;
}

/* --- From the role's ops to other roles --- */

static bool has_asynchronous_reader(const placer *p, const swp_role_channel *channel, bool own)
{
    for (int role = 0; role < p->r->plan_count; role++)
        if ((role == channel->role) == own && channel->uses[role].asynchronous)
            return true;
    return false;
}

/* Of all that its ops hand on. */
static bool is_read_asynchronously(const placer *p)
{
    for (size_t i = 0; i < p->r->channels.count; i++)
        if (p->r->channels.items[i].lead == p->channel->lead &&
            has_asynchronous_reader(p, &p->r->channels.items[i], false))
            return true;
    return false;
}

static swp_role_item fence_at(int point)
{
    return (swp_role_item){.point = point,
                           .tag = SWP_TAG_FENCE_ASYNC,
                           .object = -1,
                           .by = SWP_ALL_THREADS,
                           .given_back = -1};
}

/* An arrival behind ordinary stores, or one before copies that says what they bring. */
static swp_status place_full(const placer *p)
{
    const swp_role_channel *c = p->channel;
    if (c->full < 0 || c->lead != p->number)
        return SWP_OK;
    if (!c->copies && is_read_asynchronously(p))
        SWP_TRY(add(p, c->role, fence_at(p->after)));
    return add(p, c->role,
               (swp_role_item){.point = c->copies ? p->before : p->after,
                               .tag = c->copies ? SWP_TAG_ARRIVE_EXPECT : SWP_TAG_ARRIVE,
                               .object = c->full,
                               .bytes = c->bytes,
                               .by = c->copies ? SWP_ONE_THREAD : SWP_ALL_THREADS,
                               .given_back = -1});
}

/* The version that is replaced was given back. */
static swp_status place_wait_for_empty(const placer *p)
{
    const swp_role_channel *c = p->channel;
    if (c->empty < 0)
        return SWP_OK;
    return add(p, c->role,
               (swp_role_item){.point = p->next,
                               .tag = SWP_TAG_WAIT_PHASE,
                               .object = c->empty,
                               .turn = -c->oldest,
                               .by = c->copies ? SWP_ONE_THREAD : SWP_ALL_THREADS,
                               .least = first_replaced(p, c->oldest),
                               .ahead = c->reuse,
                               .given_back = -1});
}

/* Who copies what nobody reads watches its mbarrier itself, so that no phase goes by unseen. */
static swp_status place_watch(const placer *p)
{
    const swp_role_channel *c = p->channel;
    if (!c->copies || is_read(p))
        return SWP_OK;
    if (c->multicast)
        return swp_error(p->r->ctx, SWP_E0705, p->r->loop->ops[maker_of(p)->ops[c->first]].place,
                         "let an op read it, or take it out",
                         "op %s is a multicast, and nobody reads what it brings",
                         p->r->loop->ops[maker_of(p)->ops[c->first]].name);
    return add(p, c->role,
               (swp_role_item){.point = p->next,
                               .tag = SWP_TAG_WAIT_PHASE,
                               .object = c->full,
                               .by = SWP_ONE_THREAD,
                               .given_back = -1});
}

/* --- Who reads --- */

/* Whether the role's threads have waited for it by then, for another value of the same ops. */
static bool is_known_full(const placer *p, int role)
{
    const swp_role_use *use = &p->channel->uses[role];
    for (int i = p->channel->lead; i < (int)p->r->channels.count; i++) {
        const swp_role_channel *other = &p->r->channels.items[i];
        const swp_role_use *by = &other->uses[role];
        const bool waits = i != p->number && other->lead == p->channel->lead && by->reads &&
                           (other->copies || swp_sync_roles_hands_on(other, role)) &&
                           (use->by_one || !by->by_one);
        const bool same = by->first == use->first && by->by_one == use->by_one;
        if (waits && by->first <= use->first && (!same || i < p->number))
            return true;
    }
    return false;
}

static swp_status place_wait_for_full(const placer *p, int role)
{
    const swp_role_use *use = &p->channel->uses[role];
    if (is_known_full(p, role))
        return SWP_OK;
    return add(p, role,
               (swp_role_item){.point = use->first,
                               .tag = SWP_TAG_WAIT_PHASE,
                               .object = p->channel->full,
                               .by = use->by_one ? SWP_ONE_THREAD : SWP_ALL_THREADS,
                               .given_back = -1});
}

/* Asynchronous readers are retired at a point, when they have read the version. */
static swp_status need_retired(const placer *p, int role, int point, swp_role_need like)
{
    const swp_role_plan *plan = &p->r->plans[role];
    for (int i = 0; i < plan->count; i++) {
        const swp_loop_op *op = &p->r->loop->ops[plan->ops[i]];
        for (size_t k = 0; k < op->read_count; k++) {
            if (!swp_sync_roles_is_of_channel(p->r, p->channel, plan->ops[i], &op->reads[k]) ||
                !swp_sync_roles_is_asynchronous(p->r, plan->ops[i]))
                continue;
            like.point = point;
            like.target = i;
            like.shift = op->reads[k].distance;
            SWP_TRY(SWP_PUSH(p->r->ctx, &p->r->plans[role].needs, like));
        }
    }
    return SWP_OK;
}

/* By one thread where all of it was asynchronous and is retired, else by all. */
static swp_status give_back(const placer *p, int role)
{
    const swp_role_channel *c = p->channel;
    const swp_role_use *use = &c->uses[role];
    const swp_role_need retired = {.least = c->oldest, .given_back = p->number};
    SWP_TRY(need_retired(p, role, use->last, retired));
    if (use->ordinary && c->copies) {
        swp_role_item fence = fence_at(use->last);
        fence.least = c->oldest;
        fence.given_back = p->number;
        SWP_TRY(add(p, role, fence));
    }
    return add(p, role,
               (swp_role_item){.point = use->last,
                               .tag = SWP_TAG_ARRIVE,
                               .object = c->empty,
                               .turn = -c->oldest,
                               .by = use->ordinary ? SWP_ALL_THREADS : SWP_ONE_THREAD,
                               .least = c->oldest,
                               .given_back = p->number,
                               .to = c->multicast ? SWP_TO_ALL : SWP_TO_OWN});
}

/* --- Within the maker's role, where each instance has its share --- */

/* The named barrier at which the threads of an instance meet. */
static swp_status find_meeting(const placer *p, int *number)
{
    swp_roles *r = p->r;
    const swp_role_plan *plan = maker_of(p);
    char *name = NULL;
    SWP_TRY(swp_format(r->ctx, &name, "threads_of_%s", r->loop->roles[p->channel->role].name));
    for (*number = 0; *number < (int)r->objects.count; ++*number)
        if (strcmp(r->objects.items[*number].name, name) == 0)
            return SWP_OK;
    const swp_role_object object = {.name = name,
                                    .kind = SWP_OBJECT_NAMED_BARRIER,
                                    .slots = plan->instances,
                                    .threads = plan->threads};
    return SWP_PUSH(r->ctx, &r->objects, object);
}

static swp_status meet(const placer *p, swp_role_item like, bool fenced)
{
    const int role = p->channel->role;
    swp_role_item fence = like;
    like.tag = SWP_TAG_NAMED_SYNC;
    fence.tag = SWP_TAG_FENCE_ASYNC;
    fence.object = -1;
    SWP_TRY(find_meeting(p, &like.object));
    if (fenced)
        SWP_TRY(add(p, role, fence));
    return add(p, role, like);
}

static swp_status place_own_full(const placer *p)
{
    const swp_role_channel *c = p->channel;
    const swp_role_use *use = &c->uses[c->role];
    if (c->copies)
        return place_wait_for_full(p, c->role);
    return meet(p, (swp_role_item){.point = use->first, .given_back = -1},
                has_asynchronous_reader(p, c, true));
}

/* A matrix op is retired for all threads when it is for one, so that these need not meet. */
static bool only_wgmmas_read(const placer *p)
{
    const swp_role_plan *plan = maker_of(p);
    bool any = false;
    for (int i = 0; i < plan->count; i++) {
        const swp_loop_op *op = &p->r->loop->ops[plan->ops[i]];
        for (size_t k = 0; k < op->read_count; k++) {
            if (!swp_sync_roles_is_of_channel(p->r, p->channel, plan->ops[i], &op->reads[k]))
                continue;
            if (swp_sync_roles_completion(p->r, plan->ops[i]) != SWP_COMPLETION_MATRIX_GROUP)
                return false;
            any = true;
        }
    }
    return any;
}

static swp_status place_own_empty(const placer *p)
{
    const swp_role_channel *c = p->channel;
    const swp_role_use *use = &c->uses[c->role];
    const int least = first_replaced(p, use->oldest < 0 ? -c->reuse : 0);
    SWP_TRY(need_retired(p, c->role, p->next,
                         (swp_role_need){.least = least, .ahead = c->reuse, .given_back = -1}));
    if (only_wgmmas_read(p))
        return SWP_OK;
    return meet(
        p, (swp_role_item){.point = p->next, .least = least, .ahead = c->reuse, .given_back = -1},
        c->copies && use->ordinary);
}

static swp_status place_uses(const placer *p)
{
    if (!is_read(p) && !p->channel->copies)
        return place_own_empty(p);
    for (int role = 0; role < p->r->plan_count; role++) {
        if (!p->channel->uses[role].reads)
            continue;
        if (!swp_sync_roles_hands_on(p->channel, role)) {
            SWP_TRY(place_own_empty(p));
            SWP_TRY(place_own_full(p));
        } else {
            SWP_TRY(give_back(p, role));
            SWP_TRY(place_wait_for_full(p, role));
        }
    }
    return SWP_OK;
}

/* How they stand at one point: first what others wait for, then what is waited for. */
static int rank_of(const swp_role_item *item)
{
    switch (item->tag) {
    case SWP_TAG_FENCE_ASYNC:
        return 0;
    case SWP_TAG_ARRIVE:
        return 1;
    case SWP_TAG_NAMED_SYNC:
        return 2;
    case SWP_TAG_WAIT_PHASE:
        return 3;
    default:
        return 4;
    }
}

static void sort(swp_role_items *list)
{
    for (size_t i = 1; i < list->count; i++) {
        const swp_role_item item = list->items[i];
        size_t to = i;
        for (; to > 0 && rank_of(&item) < rank_of(&list->items[to - 1]); to--)
            list->items[to] = list->items[to - 1];
        list->items[to] = item;
    }
}

swp_status swp_sync_roles_place_edges(swp_roles *r)
{
    for (size_t i = 0; i < r->channels.count; i++) {
        const swp_role_channel *c = &r->channels.items[i];
        const int *ops = r->plans[c->role].ops;
        const placer p = {.r = r,
                          .number = (int)i,
                          .channel = c,
                          .before = swp_sync_roles_before(r, ops[c->first], 0),
                          .after = swp_sync_roles_after(r, ops[c->last], 0),
                          .next = swp_sync_roles_before(r, ops[c->next], c->reuse)};
        SWP_TRY(place_wait_for_empty(&p));
        SWP_TRY(place_watch(&p));
        SWP_TRY(place_full(&p));
        SWP_TRY(place_uses(&p));
    }
    for (int role = 0; role < r->plan_count; role++)
        sort(&r->plans[role].items);
    return SWP_OK;
}
