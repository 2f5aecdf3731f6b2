/* SPDX-License-Identifier: Apache-2.0 */
/* The store of refuted states. */
#include "fixture.h"
#include "order/refuted_states.h"

static const bool placed[] = {true, false, false, true};
static const bool other[] = {false, true, false, true};
static const swp_refuted_key known = {placed, 4, 1, 50};

static void with_one_state(swp_context *ctx, swp_refuted *store, swp_refuted_state **state)
{
    const int64_t lateness[] = {5, 7};
    assert_ok(ctx, swp_order_refuted_new(ctx, store));
    assert_ok(ctx, swp_order_refuted_add(ctx, store, &known, lateness, 2, state));
    assert_non_null(*state);
}

static bool covers(const swp_refuted *store, swp_refuted_key key, int64_t first, int64_t second)
{
    const int64_t lateness[] = {first, second};
    return swp_order_refuted_covers(store, &key, lateness, 2);
}

static void a_state_covers_those_nowhere_earlier(void **state)
{
    swp_refuted store;
    swp_refuted_state *added = NULL;
    with_one_state(*state, &store, &added);
    assert_true(covers(&store, known, 5, 7));
    assert_true(covers(&store, known, 6, 9));
    assert_false(covers(&store, known, 4, 99));
    assert_false(covers(&store, known, 99, 6));
    swp_order_refuted_free(&store);
}

static void it_covers_no_larger_budget_no_fewer_loads_and_no_other_set(void **state)
{
    swp_refuted store;
    swp_refuted_state *added = NULL;
    with_one_state(*state, &store, &added);
    assert_true(covers(&store, (swp_refuted_key){placed, 4, 1, 49}, 5, 7));
    assert_false(covers(&store, (swp_refuted_key){placed, 4, 1, 51}, 5, 7));
    assert_true(covers(&store, (swp_refuted_key){placed, 4, 2, 50}, 5, 7));
    assert_false(covers(&store, (swp_refuted_key){placed, 4, 0, 50}, 5, 7));
    assert_false(covers(&store, (swp_refuted_key){other, 4, 1, 50}, 5, 7));
    swp_order_refuted_free(&store);
}

static void a_state_taken_back_covers_nothing(void **state)
{
    swp_refuted store;
    swp_refuted_state *added = NULL;
    with_one_state(*state, &store, &added);
    swp_order_refuted_withdraw(added);
    swp_order_refuted_withdraw(NULL);
    assert_false(covers(&store, known, 5, 7));
    swp_order_refuted_free(&store);
}

/* 130 ops need three words of the set. */
static void large_sets_are_told_apart(void **state)
{
    swp_context *ctx = *state;
    swp_refuted store;
    swp_refuted_state *added = NULL;
    bool many[130] = {false};
    const int64_t lateness[] = {0};
    swp_refuted_key key = {many, 130, 0, 1};
    assert_ok(ctx, swp_order_refuted_new(ctx, &store));
    for (int i = 0; i < 130; i += 2) {
        many[i] = true;
        assert_false(swp_order_refuted_covers(&store, &key, lateness, 1));
        assert_ok(ctx, swp_order_refuted_add(ctx, &store, &key, lateness, 1, &added));
        assert_true(swp_order_refuted_covers(&store, &key, lateness, 1));
    }
    swp_order_refuted_free(&store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_state_covers_those_nowhere_earlier),
        CONTEXT_TEST(it_covers_no_larger_budget_no_fewer_loads_and_no_other_set),
        CONTEXT_TEST(a_state_taken_back_covers_nothing),
        CONTEXT_TEST(large_sets_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
