/* SPDX-License-Identifier: Apache-2.0 */
#include "roles_shapes.h"

#include "roles_shape.h"

bool shape_chance(const shape *s, int percent)
{
    return random_chance(s->random, percent);
}

int shape_pick(const shape *s, int least, int most)
{
    return random_int(s->random, least, most);
}

/* --- Producers --- */

/* The copies of the values from one number to another, by one producer. */
typedef struct copies {
    int first;
    int last;
    bool own_expects; /* an arrival for each of them */
} copies;

static void copy_values(const shape *s, draft_body *producer, const shape_ring *r, copies c)
{
    /* Of a ring behind another one its consumers would wait while that one waits for them. */
    const int stage = r == s->rings && s->d->min_tiles > 0 && shape_chance(s, 10) ? 1 : 0;
    const bool late = !c.own_expects && shape_chance(s, 20);
    const int bytes = DRAFT_BYTES * (c.last - c.first + 1);
    draft_line *wait = draft_add_line(
        producer, draft_on(SWP_TAG_WAIT_PHASE, r->empty, r->distance - r->slots, SWP_ONE_THREAD),
        stage);
    wait->least = shape_chance(s, 40) ? r->slots - r->distance : wait->least;
    if (!c.own_expects && !late)
        draft_add_line(producer, draft_expect(r->full, bytes), stage);
    for (int v = c.first; v <= c.last; v++) {
        const int copy =
            draft_add_op(s->d, v == 0 ? "COPY" : "COPY_TOO", SWP_COMPLETION_COPY_MBARRIER);
        draft_writes(s->d, copy, r->values[v]);
        if (c.own_expects)
            draft_add_line(producer, draft_expect(r->full, DRAFT_BYTES), stage);
        draft_add_line(producer, draft_copy(copy, r->full), stage);
    }
    if (late)
        draft_add_line(producer, draft_expect(r->full, bytes), stage);
}

/* Each of two values or rings may have a producer of its own. */
static void copy_ring(const shape *s, const shape_ring *r, bool own_expects)
{
    draft_body *first = &s->d->bodies[0];
    const bool own_producer = shape_chance(s, 40);
    if (r->value_count > 1 && own_expects && own_producer) {
        copy_values(s, first, r, (copies){0, 0, false});
        copy_values(s, draft_add_body(s->d, "producer_too", 1, 1), r, (copies){1, 1, false});
        return;
    }
    if (r > s->rings && own_producer)
        first = draft_add_body(s->d, "producer_too", 1, 1);
    copy_values(s, first, r, (copies){0, r->value_count - 1, own_expects});
}

static void add_ring(shape *s, int values, int least_slots, int arrivals)
{
    static const char *const names[][2] = {{"A", "B"}, {"K", "V"}};
    static const char *const objects[][2] = {{"full", "empty"}, {"full_v", "empty_v"}};
    shape_ring *r = &s->rings[s->ring_count];
    const bool own_expects = values > 1 && shape_chance(s, 45);
    const int slots = shape_pick(s, least_slots, least_slots < 4 ? 4 : least_slots);
    *r = (shape_ring){.slots = slots, .value_count = values};
    r->distance = slots > least_slots && shape_chance(s, 15) ? 1 : 0;
    r->full = draft_add_mbarrier(s->d, objects[s->ring_count][0], slots, own_expects ? values : 1);
    r->empty = draft_add_mbarrier(s->d, objects[s->ring_count][1], slots, arrivals);
    for (int v = 0; v < values; v++)
        r->values[v] = draft_add_value(s->d, names[s->ring_count][v], SWP_SPACE_SHARED, slots);
    s->ring_count++;
    copy_ring(s, r, own_expects);
}

/* --- What stands beside that --- */

/* An op without a trace in the dataflow. */
static void add_log(const shape *s)
{
    draft_body *body = &s->d->bodies[shape_pick(s, 0, s->d->body_count - 1)];
    const int log = draft_add_op(s->d, "LOG", SWP_COMPLETION_NONE);
    draft_add_line(body, draft_work(log, draft_by(shape_chance(s, 50))),
                   shape_pick(s, 0, s->d->min_tiles));
}

/* A shared value that nobody reads, of the consumers or of a role with nothing else to do. */
static void add_scratch(shape *s)
{
    const int x = draft_add_value(s->d, "X", SWP_SPACE_SHARED, shape_pick(s, 1, 2));
    const int op = draft_add_op(s->d, "SCRATCH", SWP_COMPLETION_NONE);
    draft_writes(s->d, op, x);
    if (shape_chance(s, 30)) {
        shape_line(s, draft_work(op, SWP_ALL_THREADS));
        shape_meet(s, s->stage);
        return;
    }
    draft_body *body = draft_add_body(s->d, "scribe", shape_pick(s, 1, 2), shape_pick(s, 1, 2));
    const int meet = draft_add_named_barrier(s->d, "scribes", body->instances,
                                             draft_threads(body) / body->instances);
    draft_add_line(body, draft_work(op, SWP_ALL_THREADS), 0);
    draft_add_line(body, draft_named(SWP_TAG_NAMED_SYNC, meet, 0, 1), 0);
}

static void add_barriers(const shape *s, draft_when when)
{
    for (int b = 0; b < s->d->body_count; b++)
        draft_add_line(&s->d->bodies[b], draft_sync(SWP_TAG_BARRIER, SWP_ALL_THREADS), 0)->when =
            when;
}

/* All roles in step: none may be steps behind another. */
static bool has_stages(const shape *s)
{
    for (int b = 0; b < s->d->body_count; b++)
        if (draft_stages(&s->d->bodies[b]) > 0)
            return true;
    return false;
}

/* The same line twice, once for each instance. */
static void split_line(const shape *s)
{
    draft_body *body = s->consumer;
    const int at = shape_pick(s, 0, body->count - 1);
    const int tag = body->lines[at].op.tag;
    if (body->lines[at].op.instances != 0 || body->count == DRAFT_MOST_LINES ||
        tag == SWP_TAG_MATRIX_COMMIT || tag == SWP_TAG_BULK_COMMIT)
        return;
    for (int i = body->count++; i > at; i--)
        body->lines[i] = body->lines[i - 1];
    for (int i = 0; i < body->count; i++)
        body->lines[i].commit += body->lines[i].commit > at;
    body->lines[at].op.instances = 1 + shape_pick(s, 0, 1);
    body->lines[at + 1].op.instances = 3 - body->lines[at].op.instances;
}

static void add_extras(shape *s)
{
    if (shape_chance(s, 45))
        add_log(s);
    if (shape_chance(s, 35))
        add_scratch(s);
    if (shape_chance(s, 10))
        add_barriers(s, DRAFT_FIRST);
    if (!has_stages(s) && shape_chance(s, 25))
        add_barriers(s, DRAFT_EACH);
    if (s->consumer->instances == 2 && shape_chance(s, 25))
        split_line(s);
}

/* --- The whole --- */

typedef enum consumer_kind { MULTIPLY, ATTEND, ADD_UP } consumer_kind;

static consumer_kind choose_consumer(shape *s)
{
    const int dice = shape_pick(s, 1, 100);
    const consumer_kind kind = dice <= 45 ? MULTIPLY : dice <= 70 ? ATTEND : ADD_UP;
    s->has_tiles = shape_chance(s, 45);
    s->stage = shape_chance(s, 25) ? 1 : 0;
    s->lag = s->has_tiles ? 0 : shape_pick(s, 0, kind == MULTIPLY ? 2 : 1);
    s->arrive_by_all = shape_chance(s, 40);
    (void)draft_add_body(s->d, "producer", 1, 1);
    s->consumer = draft_add_body(s->d, "consumer", kind == ADD_UP && shape_chance(s, 50) ? 1 : 4,
                                 shape_chance(s, 45) ? 2 : 1);
    return kind;
}

static void choose_loop(const shape *s)
{
    s->d->min_tiles = shape_pick(s, s->stage + s->lag, SHAPE_MOST_STAGES);
    s->d->tiles_per_pass = shape_chance(s, 60) ? 1 : shape_pick(s, 2, 3);
    s->d->only_whole_passes =
        s->d->min_tiles > 0 && shape_chance(s, 20) && s->d->min_tiles % s->d->tiles_per_pass == 0;
}

static void choose_rings(shape *s)
{
    const int arrivals = s->arrive_by_all ? draft_threads(s->consumer) : s->consumer->instances;
    if (shape_chance(s, 55)) {
        add_ring(s, shape_pick(s, 1, 2), s->lag + 1, arrivals);
        return;
    }
    add_ring(s, 1, s->lag + 1, arrivals);
    add_ring(s, 1, s->lag + 1, arrivals);
}

static void choose_ahead(const shape *s)
{
    for (int b = 0; b < s->d->body_count; b++) {
        draft_body *body = &s->d->bodies[b];
        body->ahead = shape_pick(s, draft_stages(body), s->d->min_tiles);
    }
}

draft random_draft(swp_context *ctx, test_random *random)
{
    draft d = {.ctx = ctx};
    shape s = {.d = &d, .random = random, .own = -1};
    const consumer_kind kind = choose_consumer(&s);
    choose_loop(&s);
    choose_rings(&s);
    const int tile = kind == MULTIPLY ? shape_multiply(&s)
                     : kind == ATTEND ? shape_attend(&s)
                                      : shape_add_up(&s);
    const int dice = shape_pick(&s, 1, 100);
    if (s.has_tiles && dice <= 30)
        shape_store(&s, tile);
    else if (s.has_tiles && dice <= 50)
        shape_store_in_halves(&s, tile);
    else if (s.has_tiles && dice <= 75)
        shape_hand_on_by_ring(&s, tile);
    else if (s.has_tiles)
        shape_hand_on_by_barriers(&s, tile);
    add_extras(&s);
    choose_ahead(&s);
    return d;
}
