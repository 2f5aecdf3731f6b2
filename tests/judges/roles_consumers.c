/* SPDX-License-Identifier: Apache-2.0 */
/* What consumers do with rings of copies. */
#include "roles_shape.h"

/* --- Lines of the consumers --- */

draft_line *shape_line_at(const shape *s, swp_op op, int stage)
{
    return draft_add_line(s->consumer, op, stage);
}

draft_line *shape_line(const shape *s, swp_op op)
{
    return shape_line_at(s, op, s->stage);
}

/* The threads of each instance meet. */
void shape_meet(shape *s, int stage)
{
    if (s->own < 0)
        s->own = draft_add_named_barrier(s->d, "own", s->consumer->instances,
                                         draft_threads(s->consumer) / s->consumer->instances);
    shape_line_at(s, draft_named(SWP_TAG_NAMED_SYNC, s->own, 0, 1), stage);
}

static void wait_full(const shape *s, const shape_ring *r)
{
    shape_line(s, draft_on(SWP_TAG_WAIT_PHASE, r->full, 0, SWP_ALL_THREADS));
}

/* What the readers of a ring have read when all of their threads are there, one thread can give back. */
static void give_back(shape *s, const shape_ring *r, bool ordinary)
{
    const int stage = s->stage + s->lag;
    if (ordinary)
        shape_line_at(s, draft_sync(SWP_TAG_FENCE_ASYNC, SWP_ALL_THREADS), stage);
    if (ordinary && !s->arrive_by_all)
        shape_meet(s, stage);
    draft_line *line =
        shape_line_at(s, draft_on(SWP_TAG_ARRIVE, r->empty, 0, draft_by(s->arrive_by_all)), stage);
    line->cut = shape_chance(s, 20) ? r->slots - r->distance : 0;
}

/* A commit, and later the wait for it. */
static int commit_matrix(const shape *s)
{
    shape_line(s, draft_sync(SWP_TAG_MATRIX_COMMIT, SWP_ALL_THREADS));
    return s->consumer->count - 1;
}

static void wait_matrix(const shape *s, int commit, int stage)
{
    shape_line_at(s, draft_sync(SWP_TAG_MATRIX_WAIT, SWP_ALL_THREADS), stage)->commit = commit;
}

/* --- Consumers --- */

static void read_ring(const shape *s, int op, shape_ring *r)
{
    for (int v = 0; v < r->value_count; v++)
        draft_reads(s->d, op, r->values[v], v == 0 ? r->distance : 0);
}

static int add_accumulator(const shape *s, const char *name)
{
    return draft_add_value(s->d, name, SWP_SPACE_REGISTERS, 1);
}

static void fence_matrix(const shape *s, bool once)
{
    draft_line *line = shape_line(s, draft_sync(SWP_TAG_MATRIX_FENCE, SWP_ALL_THREADS));
    if (once)
        line->when = DRAFT_FIRST;
}

/* Instance w waits for its turn, slot w of the barrier, and then gives the other one its turn. */
static int take_turn(const shape *s)
{
    const int turns = draft_add_named_barrier(s->d, "turns", 2, draft_threads(s->consumer));
    draft_line *first = shape_line(s, draft_named(SWP_TAG_NAMED_ARRIVE, turns, 1, -1));
    first->when = DRAFT_FIRST;
    first->op.instances = 2;
    shape_line(s, draft_named(SWP_TAG_NAMED_SYNC, turns, 0, 1));
    return turns;
}

static void pass_turn(const shape *s, int turns)
{
    draft_line *line = shape_line(s, draft_named(SWP_TAG_NAMED_ARRIVE, turns, 1, -1));
    if (!shape_chance(s, 40))
        return;
    line->op.instances = 1;
    line = shape_line(s, draft_named(SWP_TAG_NAMED_ARRIVE, turns, 1, -1));
    line->op.instances = 2;
    line->cut = 1;
}

/* C += A B by wgmma. */
int shape_multiply(shape *s)
{
    draft *d = s->d;
    const bool turns = s->consumer->instances == 2 && d->min_tiles > 0 && shape_chance(s, 40);
    const int c = add_accumulator(s, "C");
    const int op = draft_add_op(d, "MMA", SWP_COMPLETION_MATRIX_GROUP);
    draft_updates(d, op, c);
    for (int r = 0; r < s->ring_count; r++) {
        read_ring(s, op, &s->rings[r]);
        wait_full(s, &s->rings[r]);
    }
    fence_matrix(s, !s->has_tiles && shape_chance(s, 60));
    const int object = turns ? take_turn(s) : -1;
    shape_line(s, draft_work(op, SWP_ALL_THREADS));
    if (turns && shape_chance(s, 50))
        pass_turn(s, object);
    const int commit = commit_matrix(s);
    if (turns && s->consumer->lines[commit - 1].op.tag == op)
        pass_turn(s, object);
    wait_matrix(s, commit, s->stage + s->lag);
    for (int r = 0; r < s->ring_count; r++)
        give_back(s, &s->rings[r], false);
    return c;
}

/* S = Q K by wgmma, P from it by ordinary instructions, O += P V by wgmma. */
typedef struct attention {
    int qk;
    int softmax;
    int pv;
    int result;
    bool shares_p; /* P goes through shared memory */
} attention;

static attention add_attention(const shape *s, const shape_ring *k, const shape_ring *v)
{
    draft *d = s->d;
    const bool shares_p = shape_chance(s, 30);
    const attention a = {.qk = draft_add_op(d, "QK", SWP_COMPLETION_MATRIX_GROUP),
                         .softmax = draft_add_op(d, "SOFTMAX", SWP_COMPLETION_NONE),
                         .pv = draft_add_op(d, "PV", SWP_COMPLETION_MATRIX_GROUP),
                         .result = add_accumulator(s, "O"),
                         .shares_p = shares_p};
    const int scores = draft_add_value(d, "S", SWP_SPACE_REGISTERS, 1);
    const int p = draft_add_value(d, "P", shares_p ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS, 1);
    draft_reads(d, a.qk, k->values[0], 0);
    draft_writes(d, a.qk, scores);
    draft_reads(d, a.softmax, scores, 0);
    draft_writes(d, a.softmax, p);
    draft_reads(d, a.pv, p, 0);
    draft_reads(d, a.pv, v->values[v->value_count - 1], 0);
    draft_updates(d, a.pv, a.result);
    return a;
}

static void soften(shape *s, const attention *a)
{
    shape_line(s, draft_work(a->softmax, SWP_ALL_THREADS));
    if (!a->shares_p)
        return;
    shape_line(s, draft_sync(SWP_TAG_FENCE_ASYNC, SWP_ALL_THREADS));
    shape_meet(s, s->stage);
}

/* @return the line of the commit */
static int multiply_by_v(const shape *s, const attention *a, const shape_ring *v)
{
    const int stage = s->stage + s->lag;
    if (s->ring_count > 1)
        shape_line_at(s, draft_on(SWP_TAG_WAIT_PHASE, v->full, 0, SWP_ALL_THREADS), stage);
    shape_line_at(s, draft_sync(SWP_TAG_MATRIX_FENCE, SWP_ALL_THREADS), stage);
    shape_line_at(s, draft_work(a->pv, SWP_ALL_THREADS), stage);
    shape_line_at(s, draft_sync(SWP_TAG_MATRIX_COMMIT, SWP_ALL_THREADS), stage);
    return s->consumer->count - 1;
}

/* With a lag the product with V is that of the iteration before, and goes on beside the next one with K. */
int shape_attend(shape *s)
{
    const shape_ring *k = &s->rings[0];
    const shape_ring *v = &s->rings[s->ring_count - 1];
    const attention a = add_attention(s, k, v);
    wait_full(s, k);
    fence_matrix(s, false);
    shape_line(s, draft_work(a.qk, SWP_ALL_THREADS));
    const int first = commit_matrix(s);
    if (s->lag == 0) {
        wait_matrix(s, first, s->stage);
        soften(s, &a);
        wait_matrix(s, multiply_by_v(s, &a, v), s->stage);
    } else {
        const int second = multiply_by_v(s, &a, v);
        wait_matrix(s, first, s->stage);
        wait_matrix(s, second, s->stage + s->lag);
        soften(s, &a);
    }
    for (int r = 0; r < s->ring_count; r++)
        give_back(s, &s->rings[r], false);
    return a.result;
}

/* Fragments are read, and added up, by ordinary instructions. */
int shape_add_up(shape *s)
{
    draft *d = s->d;
    const int late = shape_pick(s, 0, s->lag);
    const int f = draft_add_value(d, "F", SWP_SPACE_REGISTERS, 1 + late);
    const int c = add_accumulator(s, "C");
    const int read = draft_add_op(d, "READ", SWP_COMPLETION_NONE);
    const int add = draft_add_op(d, "ADD", SWP_COMPLETION_NONE);
    for (int r = 0; r < s->ring_count; r++) {
        read_ring(s, read, &s->rings[r]);
        wait_full(s, &s->rings[r]);
    }
    draft_writes(d, read, f);
    draft_reads(d, add, f, 0);
    draft_updates(d, add, c);
    shape_line(s, draft_work(read, SWP_ALL_THREADS));
    shape_line_at(s, draft_work(add, SWP_ALL_THREADS), s->has_tiles ? s->stage : s->stage + late);
    for (int r = 0; r < s->ring_count; r++)
        give_back(s, &s->rings[r], true);
    return c;
}
