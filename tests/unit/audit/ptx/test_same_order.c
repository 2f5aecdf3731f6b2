/* SPDX-License-Identifier: Apache-2.0 */
/* When two states of a run are taken for the same. */
#include "runs.h"

/*
 * Two warps with one mbarrier, which lane 0 of the first one initialised. Lane 0 of each has stored somewhere, and nobody else
 * knows of either.
 */
static swp_ptx_run *make_state(swp_context *ctx)
{
    ptx_world *w = make_world(ctx, KERNEL(64, "bar.sync 0;"));
    swp_ptx_run *run = &w->run;
    assert_ok(ctx, swp_ptx_run_begin(run));
    run->mbarrier_count = 1;
    run->mbarriers[0] = (swp_ptx_mbarrier){.address = 8, .count = 1, .pending = 1, .event = 1};
    for (int warp = 0; warp < run->warp_count; warp++) {
        const int chain = swp_ptx_chain(warp, 0);
        const swp_ptx_access store = {.low = 64 + 4 * warp,
                                      .high = 68 + 4 * warp,
                                      .writes = true,
                                      .component = chain,
                                      .value = 1,
                                      .chain = chain,
                                      .event = swp_ptx_tick(run, chain)};
        assert_ok(ctx, swp_ptx_access_shared(run, &run->clocks[chain], store));
    }
    return run;
}

static bool are_same(swp_context *ctx, swp_ptx_run *a, swp_ptx_run *b)
{
    bool same = false;
    assert_ok(ctx, swp_ptx_compare_orders(a, b, &same));
    return same;
}

static void states_that_differ_in_nothing_are_the_same(void **state)
{
    assert_true(are_same(*state, make_state(*state), make_state(*state)));
}

/* Who comes behind its initialisation is asked by whose it was. */
static void an_mbarrier_is_that_of_the_thread_that_initialised_it(void **state)
{
    swp_ptx_run *other = make_state(*state);
    other->mbarriers[0].chain = swp_ptx_chain(1, 0);
    assert_false(are_same(*state, make_state(*state), other));
}

static void an_mbarrier_is_as_far_in_its_phase(void **state)
{
    swp_ptx_run *pending = make_state(*state);
    swp_ptx_run *expects = make_state(*state);
    pending->mbarriers[0].pending = 0;
    expects->mbarriers[0].computed = true;
    assert_false(are_same(*state, make_state(*state), pending));
    assert_false(are_same(*state, make_state(*state), expects));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(states_that_differ_in_nothing_are_the_same),
        CONTEXT_TEST(an_mbarrier_is_that_of_the_thread_that_initialised_it),
        CONTEXT_TEST(an_mbarrier_is_as_far_in_its_phase),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
