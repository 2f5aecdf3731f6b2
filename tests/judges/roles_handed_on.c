/* SPDX-License-Identifier: Apache-2.0 */
/* What consumers hand on: a tile of each iteration, by ordinary stores to shared memory. */
#include "roles_shape.h"

static int at_most(int number, int most)
{
    return number < most ? number : most;
}

typedef struct staged {
    int value;
    int pack;
    int slots;
} staged;

static staged add_staged(const shape *s, int accumulator, int slots)
{
    staged out = {draft_add_value(s->d, "D", SWP_SPACE_SHARED, slots),
                  draft_add_op(s->d, "PACK", SWP_COMPLETION_NONE), slots};
    draft_reads(s->d, out.pack, accumulator, 0);
    draft_writes(s->d, out.pack, out.value);
    return out;
}

static int add_store(const shape *s, const staged *d)
{
    const int store = draft_add_op(s->d, "STORE", SWP_COMPLETION_STORE_GROUP);
    draft_reads(s->d, store, d->value, 0);
    return store;
}

static draft_line *wait_store(draft_body *body, int commit, int distance, int stage, bool read)
{
    draft_line *line = draft_add_line(
        body, draft_sync(read ? SWP_TAG_BULK_WAIT_READ : SWP_TAG_BULK_WAIT, SWP_ONE_THREAD), stage);
    line->commit = commit;
    line->distance = distance;
    return line;
}

/* The elected thread stores what its instance wrote. */
void shape_store(shape *s, int accumulator)
{
    const staged d = add_staged(s, accumulator, shape_pick(s, 1, 2));
    const int store = add_store(s, &d);
    const int wait = s->consumer->count;
    wait_store(s->consumer, 0, d.slots, s->stage, shape_chance(s, 80));
    shape_meet(s, s->stage);
    shape_line(s, draft_work(d.pack, SWP_ALL_THREADS));
    shape_line(s, draft_sync(SWP_TAG_FENCE_ASYNC, SWP_ALL_THREADS));
    shape_meet(s, s->stage);
    shape_line(s, draft_work(store, SWP_ONE_THREAD));
    shape_line(s, draft_sync(SWP_TAG_BULK_COMMIT, SWP_ONE_THREAD));
    s->consumer->lines[wait].commit = s->consumer->count - 1;
    draft_add_line(s->consumer,
                   draft_sync(shape_chance(s, 50) ? SWP_TAG_BULK_WAIT : SWP_TAG_BULK_WAIT_READ,
                              SWP_ONE_THREAD),
                   0)
        ->when = DRAFT_LAST;
}

/* What an op made of the place is read: stored by the elected thread, or read by all. @return the commit's line; -1: none */
static int use_tile(shape *s, const staged *d, bool stores)
{
    if (stores)
        shape_line(s, draft_sync(SWP_TAG_FENCE_ASYNC, SWP_ALL_THREADS));
    shape_meet(s, s->stage);
    if (stores) {
        shape_line(s, draft_work(add_store(s, d), SWP_ONE_THREAD));
        shape_line(s, draft_sync(SWP_TAG_BULK_COMMIT, SWP_ONE_THREAD));
        return s->consumer->count - 1;
    }
    const int take = draft_add_op(s->d, "TAKE", SWP_COMPLETION_NONE);
    draft_reads(s->d, take, d->value, 0);
    shape_line(s, draft_work(take, SWP_ALL_THREADS));
    return -1;
}

/* The same buffer takes one half after the other: the first is read before the second is staged over it. */
void shape_store_in_halves(shape *s, int accumulator)
{
    const staged d = add_staged(s, accumulator, shape_pick(s, 1, 2));
    const int last = s->consumer->count;
    wait_store(s->consumer, 0, d.slots, s->stage, true);
    shape_meet(s, s->stage);
    shape_line(s, draft_work(d.pack, SWP_ALL_THREADS));
    const int first = shape_chance(s, 80) ? use_tile(s, &d, shape_chance(s, 70)) : -1;
    const int pack = draft_add_op(s->d, "PACK_1", SWP_COMPLETION_NONE);
    draft_reads(s->d, pack, accumulator, 0);
    draft_updates(s->d, pack, d.value);
    if (first >= 0)
        wait_store(s->consumer, first, 0, s->stage, true);
    shape_meet(s, s->stage);
    shape_line(s, draft_work(pack, SWP_ALL_THREADS));
    s->consumer->lines[last].commit = use_tile(s, &d, true);
    draft_add_line(s->consumer, draft_sync(SWP_TAG_BULK_WAIT_READ, SWP_ONE_THREAD), 0)->when =
        DRAFT_LAST;
}

/* Another role takes the tiles through a ring: it stores them, or reads them by ordinary instructions. */
void shape_hand_on_by_ring(shape *s, int accumulator)
{
    const staged d = add_staged(s, accumulator, shape_pick(s, 1, 3));
    const bool stores = shape_chance(s, 60);
    const bool all = shape_chance(s, 50);
    const bool readers_all = !stores && shape_chance(s, 60);
    draft_body *taker = draft_add_body(s->d, "taker", 1, 1);
    const int full = draft_add_mbarrier(s->d, "full_d", d.slots,
                                        all ? draft_threads(s->consumer) : s->consumer->instances);
    const int empty =
        draft_add_mbarrier(s->d, "empty_d", d.slots, readers_all ? draft_threads(taker) : 1);
    const int stage = shape_pick(s, 0, at_most(s->d->min_tiles, 1));
    shape_line(s, draft_on(SWP_TAG_WAIT_PHASE, empty, -d.slots, SWP_ALL_THREADS));
    shape_line(s, draft_work(d.pack, SWP_ALL_THREADS));
    if (stores)
        shape_line(s, draft_sync(SWP_TAG_FENCE_ASYNC, SWP_ALL_THREADS));
    if (!all)
        shape_meet(s, s->stage);
    shape_line(s, draft_on(SWP_TAG_ARRIVE, full, 0, draft_by(all)));
    draft_add_line(taker, draft_on(SWP_TAG_WAIT_PHASE, full, 0, draft_by(readers_all)), stage);
    if (stores) {
        const int lag = shape_pick(s, 0, at_most(d.slots - 1, s->d->min_tiles - stage));
        draft_add_line(taker, draft_work(add_store(s, &d), SWP_ONE_THREAD), stage);
        draft_add_line(taker, draft_sync(SWP_TAG_BULK_COMMIT, SWP_ONE_THREAD), stage);
        wait_store(taker, taker->count - 1, 0, stage + lag, true);
        draft_add_line(taker, draft_on(SWP_TAG_ARRIVE, empty, 0, SWP_ONE_THREAD), stage + lag);
        return;
    }
    const int take = draft_add_op(s->d, "TAKE", SWP_COMPLETION_NONE);
    draft_reads(s->d, take, d.value, 0);
    draft_add_line(taker, draft_work(take, draft_by(readers_all)), stage);
    draft_add_line(taker, draft_on(SWP_TAG_ARRIVE, empty, 0, draft_by(readers_all)), stage);
}

/* Another role stores the tiles, between two named barriers. */
void shape_hand_on_by_barriers(shape *s, int accumulator)
{
    const staged d = add_staged(s, accumulator, 1);
    draft_body *taker = draft_add_body(s->d, "taker", 1, 1);
    const int threads = draft_threads(s->consumer) + draft_threads(taker);
    const int ready = draft_add_named_barrier(s->d, "ready", 1, threads);
    const int free = draft_add_named_barrier(s->d, "free", 1, threads);
    shape_line(s, draft_work(d.pack, SWP_ALL_THREADS));
    shape_line(s, draft_sync(SWP_TAG_FENCE_ASYNC, SWP_ALL_THREADS));
    shape_line(s, draft_named(shape_chance(s, 70) ? SWP_TAG_NAMED_ARRIVE : SWP_TAG_NAMED_SYNC,
                              ready, 0, 0));
    shape_line(s, draft_named(SWP_TAG_NAMED_SYNC, free, 0, 0));
    draft_add_line(taker, draft_named(SWP_TAG_NAMED_SYNC, ready, 0, 0), 0);
    draft_add_line(taker, draft_work(add_store(s, &d), SWP_ONE_THREAD), 0);
    draft_add_line(taker, draft_sync(SWP_TAG_BULK_COMMIT, SWP_ONE_THREAD), 0);
    wait_store(taker, taker->count - 1, 0, 0, true);
    draft_add_line(
        taker,
        draft_named(shape_chance(s, 70) ? SWP_TAG_NAMED_ARRIVE : SWP_TAG_NAMED_SYNC, free, 0, 0),
        0);
}
