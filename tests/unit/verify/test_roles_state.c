/* SPDX-License-Identifier: Apache-2.0 */
/* What tells cuts of output tiles apart (docs/roles-proof.md, "All sequences of output tiles"). */
#include "fixture.h"
#include "safe_roles.h"

#include "verify/roles_state.h"

#include <limits.h>
#include <string.h>

static bool is_same(const swp_role_state *a, const swp_role_state *b)
{
    return a->count == b->count && memcmp(a->items, b->items, a->count * sizeof *a->items) == 0;
}

static swp_role_state written(swp_context *ctx, const int64_t *numbers, size_t count)
{
    const swp_happens_run run = {.ctx = ctx};
    swp_role_state state = {0};
    swp_role_state_writer w = {.run = &run, .out = &state};
    for (size_t i = 0; i < count; i++)
        assert_ok(ctx, swp_verify_role_put(&w, numbers[i]));
    return state;
}

/* Their halves, too, might stand in a state. */
static void numbers_of_many_bits(void **state)
{
    const int64_t big = INT64_C(1) << 31;
    const int64_t numbers[] = {0,
                               1,
                               -1,
                               INT_MAX,
                               INT_MIN,
                               INT_MIN + 1,
                               big,
                               big + 1,
                               2 * big,
                               -big - 1,
                               -2 * big,
                               big << 30,
                               INT64_C(1) << 30,
                               (INT64_C(1) << 30) + 8,
                               (INT64_C(1) << 30) + 16};
    for (size_t a = 0; a < COUNT_OF(numbers); a++)
        for (size_t b = 0; b < COUNT_OF(numbers); b++) {
            const swp_role_state one = written(*state, &numbers[a], 1);
            const swp_role_state other = written(*state, &numbers[b], 1);
            assert_int_equal(is_same(&one, &other), a == b);
        }
    const int64_t spelt[] = {INT_MIN + 1, 1, 0};
    const swp_role_state long_one = written(*state, &(int64_t){big}, 1);
    const swp_role_state short_ones = written(*state, spelt, COUNT_OF(spelt));
    assert_false(is_same(&long_one, &short_ones));
}

/* The state of a cut behind one tile, in which that many bytes are expected of each phase. */
static swp_role_state behind_a_tile(roles_program *p, int64_t bytes)
{
    const int one_pass[] = {1};
    const swp_happens_sequence sequence = {.n = one_pass, .count = 1, .is_cut = true, .passes = -1};
    swp_role_model model;
    swp_happens_tiles tiles;
    swp_happens_run run;
    swp_role_state state = {0};
    assert_ok(p->ctx, swp_verify_role_model_build(p->ctx, &p->schedule, &model));
    assert_ok(p->ctx, swp_happens_tiles_build(p->ctx, &p->schedule, &tiles));
    assert_ok(p->ctx, swp_happens_run_follow_tiles(p->ctx, &tiles, &sequence, &run));
    swp_role_judge judge = {.ctx = p->ctx, .model = &model, .run = &run};
    for (int i = 0; i < run.phase_count; i++)
        run.phases[i].expected = bytes;
    assert_ok(p->ctx, swp_verify_role_state(&judge, &state, NULL));
    return state;
}

static void cuts_with_other_bytes(void **state)
{
    const int64_t bytes = INT64_C(1) << 30;
    roles_program p;
    safe_tiles(&p, *state);
    const swp_role_state one = behind_a_tile(&p, bytes + 8);
    const swp_role_state again = behind_a_tile(&p, bytes + 8);
    const swp_role_state other = behind_a_tile(&p, bytes + 16);
    assert_true(is_same(&one, &again));
    assert_false(is_same(&one, &other));
}

/* --- What clocks say, apart --- */

/* A cut of a schedule with a row of clocks for each kind of moments. */
typedef struct cut_apart {
    swp_role_model model;
    swp_happens_tiles tiles;
    swp_happens_sequence sequence;
    swp_happens_run run;
    swp_role_state state;
    swp_role_state clocks;
} cut_apart;

static void read_apart(roles_program *p, cut_apart *cut)
{
    swp_role_judge judge = {.ctx = p->ctx, .model = &cut->model, .run = &cut->run};
    cut->state = cut->clocks = (swp_role_state){0};
    assert_ok(p->ctx, swp_verify_role_state(&judge, &cut->state, &cut->clocks));
}

static void follow_apart(roles_program *p, const int *n, int count, cut_apart *cut)
{
    int *rows = NULL;
    *cut = (cut_apart){.sequence = {.n = n, .count = count, .is_cut = true, .passes = -1}};
    assert_ok(p->ctx, swp_verify_role_model_build(p->ctx, &p->schedule, &cut->model));
    assert_ok(p->ctx, swp_happens_tiles_build(p->ctx, &p->schedule, &cut->tiles));
    cut->tiles.row_count =
        (int)(cut->model.loop->value_count + cut->model.schedule->object_count) + 1;
    assert_ok(p->ctx, SWP_TAKE(p->ctx, (size_t)cut->tiles.row_count, &rows));
    for (int kind = 0; kind < cut->tiles.row_count; kind++)
        rows[kind] = kind;
    cut->tiles.rows = rows;
    assert_ok(p->ctx, swp_happens_run_follow_tiles(p->ctx, &cut->tiles, &cut->sequence, &cut->run));
    read_apart(p, cut);
}

static void lower(roles_program *p, cut_apart *cut, const swp_role_state *clocks)
{
    swp_role_judge judge = {.ctx = p->ctx, .model = &cut->model, .run = &cut->run};
    assert_ok(p->ctx, swp_verify_role_lower(&judge, &cut->run, clocks->items));
    read_apart(p, cut);
}

/* Where the last tiles are cut into other lengths nothing differs but what comes before what. */
static void cuts_that_differ_in_order_alone(void **state)
{
    const int long_ones_first[] = {5, 5, 3, 1};
    const int short_ones_first[] = {5, 5, 1, 3};
    roles_program p;
    cut_apart one;
    cut_apart other;
    safe_queries(&p, *state);
    follow_apart(&p, long_ones_first, COUNT_OF(long_ones_first), &one);
    follow_apart(&p, short_ones_first, COUNT_OF(short_ones_first), &other);
    assert_true(is_same(&one.state, &other.state));
    assert_false(is_same(&one.clocks, &other.clocks));
    swp_role_state least = {0};
    for (size_t i = 0; i < one.clocks.count; i++)
        assert_ok(p.ctx,
                  SWP_PUSH(p.ctx, &least,
                           one.clocks.items[i] < other.clocks.items[i] ? one.clocks.items[i]
                                                                       : other.clocks.items[i]));
    assert_false(is_same(&one.clocks, &least));
    lower(&p, &one, &least);
    lower(&p, &other, &least);
    assert_true(is_same(&one.clocks, &least));
    assert_true(is_same(&other.clocks, &least));
}

/* A thread that waits for a phase behind the cut learns what the phase has been lowered to, and no more. */
static void what_goes_on_from_a_lowered_cut(void **state)
{
    const int before[] = {5, 5, 3, 1};
    const int behind[] = {5, 5, 3, 1, 2};
    const swp_happens_sequence next = {
        .n = behind, .count = COUNT_OF(behind), .is_cut = true, .passes = -1};
    roles_program p;
    cut_apart kept;
    cut_apart lowered;
    safe_queries(&p, *state);
    follow_apart(&p, before, COUNT_OF(before), &kept);
    follow_apart(&p, before, COUNT_OF(before), &lowered);
    swp_role_state nothing = {0};
    for (size_t i = 0; i < kept.clocks.count; i++)
        assert_ok(p.ctx, SWP_PUSH(p.ctx, &nothing, 0));
    lower(&p, &lowered, &nothing);
    assert_ok(p.ctx, swp_happens_run_go_on_tiles(&kept.run, &next));
    assert_ok(p.ctx, swp_happens_run_go_on_tiles(&lowered.run, &next));
    bool less = false;
    for (int i = 0; i < kept.run.program->count; i++)
        for (int s = 0; s <= kept.run.lengths[i]; s++)
            for (int which = 0; which < SWP_HAPPENS_THREADS; which++) {
                const int thread = swp_happens_thread_of(i, which);
                const int *of_kept = kept.run.clocks.items[kept.run.threads[thread].clocks[s]];
                const int *of_lowered =
                    lowered.run.clocks.items[lowered.run.threads[thread].clocks[s]];
                for (size_t k = 0; k < swp_happens_width(&kept.run); k++) {
                    assert_true(of_lowered[k] <= of_kept[k]);
                    less |= s == kept.run.lengths[i] && of_lowered[k] < of_kept[k];
                }
            }
    assert_true(less);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(numbers_of_many_bits),
        CONTEXT_TEST(cuts_with_other_bytes),
        CONTEXT_TEST(cuts_that_differ_in_order_alone),
        CONTEXT_TEST(what_goes_on_from_a_lowered_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
