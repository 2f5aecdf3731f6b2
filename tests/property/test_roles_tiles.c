/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The proof of schedules with output tiles, a few edits from safe ones, against the judge that writes out all
 * sequences of a few tiles; SWP_SEED replays a run.
 */
#include "fixture.h"
#include "random.h"
#include "roles_agree.h"
#include "roles_unrolled.h"
#include "safe_roles.h"

#include "ir/roles.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 4 /* two more than the rings have slots */, MOST_EDITS = 2 };

static void (*const shapes[])(roles_program *p, swp_context *ctx) = {safe_tiles, safe_queries,
                                                                     safe_pairs};

/* An edit, in words, so that it can be made by hand. */
typedef struct edit {
    int what;
    int role;
    swp_phase list;
    int entry;
    int by;
} edit;

enum { DROP, EXCHANGE, MOVE_ITERATION, CHANGE_WAIT, CHANGE_ARRIVALS, CHANGE_SLOTS, EDITS };

static edit draw(roles_program *p, test_random *random)
{
    edit e = {.what = random_int(random, 0, EDITS - 1),
              .role = random_int(random, 0, (int)p->schedule.stream_count - 1),
              .list = (swp_phase)random_int(random, SWP_PROLOGUE, SWP_DRAIN),
              .by = random_chance(random, 50) ? 1 : -1};
    const size_t count = swp_stream_phase(&p->schedule.streams[e.role], e.list)->count;
    if (e.what >= CHANGE_ARRIVALS)
        e.entry = random_int(random, 0, (int)p->schedule.object_count - 1);
    else
        e.entry = count > 0 ? random_int(random, 0, (int)count - 1) : -1;
    return e;
}

/* @return false: it fits nothing there */
static bool make(roles_program *p, const edit *e)
{
    const size_t count = swp_stream_phase(&p->schedule.streams[e->role], e->list)->count;
    swp_op *op = NULL;
    if (e->what >= CHANGE_ARRIVALS) {
        swp_role_object *object = &p->objects[e->entry];
        *(e->what == CHANGE_SLOTS ? &object->slots : &object->arrivals) += e->by;
        return object->kind == SWP_OBJECT_MBARRIER;
    }
    if (e->entry < 0)
        return false;
    op = roles_program_op(p, e->role, e->list, e->entry);
    switch (e->what) {
    case DROP:
        roles_program_drop(p, e->role, e->list, e->entry);
        return true;
    case EXCHANGE: {
        const swp_op kept = *op;
        if ((size_t)e->entry + 1 >= count)
            return false;
        swp_op *next = roles_program_op(p, e->role, e->list, e->entry + 1);
        *op = *next;
        *next = kept;
        return true;
    }
    case MOVE_ITERATION:
        op->iteration += e->by;
        return true;
    default:
        op->wait_value += e->by;
        return op->tag == SWP_TAG_MATRIX_WAIT || op->tag == SWP_TAG_BULK_WAIT_READ;
    }
}

static void print(const edit *edits, int count)
{
    for (int i = 0; i < count; i++)
        print_message("edit %d: role %d, %s entry %d, by %d\n", edits[i].what, edits[i].role,
                      swp_phase_name(edits[i].list), edits[i].entry, edits[i].by);
}

static bool agree(roles_program *p)
{
    swp_verdict verdict = {0};
    role_judgement judged = {0};
    assert_ok(p->ctx, swp_verify(p->ctx, &p->schedule, NULL, 0, &verdict));
    roles_unrolled_judge_tiles(&p->schedule, LONGEST, ROLE_MOST_TILES, &judged);
    const bool same = roles_differences(&verdict, &judged, LONGEST, stdout) == 0;
    role_judgement_free(&judged);
    return same;
}

/* A case, in a context of its own. @return false: the two say different things */
static bool try_case(test_random *random)
{
    swp_context *ctx = swp_context_new(NULL);
    const size_t shape = (size_t)random_int(random, 0, (int)COUNT_OF(shapes) - 1);
    const int count = random_int(random, 0, MOST_EDITS);
    edit edits[MOST_EDITS];
    roles_program p;
    bool is_legal = true;
    shapes[shape](&p, ctx);
    for (int i = 0; i < count; i++) {
        edits[i] = draw(&p, random);
        is_legal = is_legal && make(&p, &edits[i]);
    }
    is_legal = is_legal && swp_ir_check_tiled_role_loop(ctx, &p.schedule) == SWP_OK;
    const bool same = !is_legal || agree(&p);
    if (!same) {
        print_message("shape %zu\n", shape);
        print(edits, count);
    }
    swp_context_free(ctx);
    return same;
}

static void proof_and_judge_say_the_same(void **state)
{
    const uint64_t seed = random_seed(61);
    const size_t cases = random_sample(150);
    size_t failed = 0;
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        if (try_case(&random))
            continue;
        print_message("case %zu\n", i);
        failed++;
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(proof_and_judge_say_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
