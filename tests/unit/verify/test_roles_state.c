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
    assert_ok(p->ctx, swp_verify_role_state(&judge, &state));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(numbers_of_many_bits),
        CONTEXT_TEST(cuts_with_other_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
