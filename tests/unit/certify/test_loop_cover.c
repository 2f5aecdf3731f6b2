/* SPDX-License-Identifier: Apache-2.0 */
/* Open ways to share slots out, against enumeration. */
#include "certify/loop_cover.h"
#include "fixture.h"
#include "random.h"

#include <stdio.h>
#include <string.h>

enum { VALUES = 4, MOST = 4, WAYS = 8 };

typedef struct question {
    swp_loop loop;
    swp_loop_value values[VALUES];
    int alike[VALUES]; /* with equally many slots */
    swp_loop_op op;
    int least[VALUES];
    int most[VALUES];
    int ways[WAYS][VALUES];
    const int *items[WAYS];
    swp_slot_space space;
    swp_slot_pool pool;
} question;

/* One op writes some of them, in any order, and states their slots. */
static void draw_alike(test_random *random, question *q)
{
    const int first = random_int(random, 0, VALUES - 1);
    const int count = random_int(random, 1, VALUES);
    for (int i = 0; i < count; i++) {
        const int v = (first + i) % VALUES;
        q->alike[i] = v;
        q->least[v] = q->least[first];
        q->most[v] = q->most[first];
    }
    q->op = (swp_loop_op){.writes = q->alike,
                          .write_count = (size_t)count,
                          .least_slots = q->least[first],
                          .most_slots = q->most[first]};
    q->loop.ops = &q->op;
    q->loop.op_count = 1;
}

static void draw(test_random *random, question *q)
{
    *q = (question){.loop = {.values = q->values, .value_count = VALUES}};
    for (int v = 0; v < VALUES; v++) {
        q->values[v].space = random_chance(random, 60) ? SWP_SPACE_SHARED : SWP_SPACE_REGISTERS;
        q->values[v].bytes = random_int(random, 0, 3);
        q->least[v] = random_int(random, 1, 2);
        q->most[v] = random_int(random, q->least[v], MOST);
    }
    if (random_chance(random, 40))
        draw_alike(random, q);
    const int ways = random_int(random, 0, WAYS);
    for (int i = 0; i < ways; i++) {
        for (int v = 0; v < VALUES; v++)
            q->ways[i][v] = random_chance(random, 50) ? 0 : random_int(random, 1, MOST);
        q->items[i] = q->ways[i];
    }
    q->pool = (swp_slot_pool){q->items, (size_t)ways, WAYS};
    q->space = (swp_slot_space){&q->loop, q->least, q->most, {-1, -1}};
    for (int s = 0; s < 2; s++)
        if (random_chance(random, 60))
            q->space.bytes[s] = random_int(random, 0, 20);
}

static bool is_in_space(const question *q, const int *slots)
{
    int64_t bytes[2] = {0, 0};
    for (int v = 0; v < VALUES; v++) {
        if (slots[v] < q->least[v] || slots[v] > q->most[v])
            return false;
        bytes[q->values[v].space] += q->values[v].bytes * slots[v];
    }
    for (size_t i = 0; i < q->op.write_count; i++)
        if (slots[q->alike[i]] != slots[q->alike[0]])
            return false;
    return (q->space.bytes[0] < 0 || bytes[0] <= q->space.bytes[0]) &&
           (q->space.bytes[1] < 0 || bytes[1] <= q->space.bytes[1]);
}

static bool is_open(const question *q, const int *slots)
{
    for (size_t i = 0; i < q->pool.count; i++) {
        bool within = true;
        for (int v = 0; v < VALUES; v++)
            within = within && (q->ways[i][v] == 0 || slots[v] <= q->ways[i][v]);
        if (within)
            return false;
    }
    return is_in_space(q, slots);
}

static bool any_is_open(const question *q)
{
    int slots[VALUES];
    for (int way = 0; way < MOST * MOST * MOST * MOST; way++) {
        for (int v = 0, rest = way; v < VALUES; v++, rest /= MOST)
            slots[v] = 1 + rest % MOST;
        if (is_open(q, slots))
            return true;
    }
    return false;
}

static void open_ways_are_found_if_there_are_any(void **state)
{
    const uint64_t seed = random_seed(11);
    const size_t cases = random_cases(5000);
    size_t found = 0;
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        test_random random = random_for_case(seed, i);
        swp_context *ctx = swp_context_new(NULL);
        swp_judgement judgement = {.ctx = ctx, .budget = swp_budget_start(ctx, 0)};
        const int *open = NULL;
        question q;
        draw(&random, &q);
        assert_ok(ctx, swp_certify_find_open_way(ctx, &judgement, &q.space, &q.pool, &open));
        if ((open != NULL) != any_is_open(&q) || (open && !is_open(&q, open)))
            fail_msg("case %zu", i);
        found += open != NULL;
        swp_context_free(ctx);
    }
    (void)printf("%zu of %zu open\n", found, cases);
    assert_true(found > cases / 10 && found < cases - cases / 10);
}

/* Some 3^40 ways, each of which is above a way of its own: a limit ends the walk. */
static void a_limit_ends_the_walk(void **state)
{
    enum { MANY = 40 };
    static swp_loop_value values[MANY];
    static int ways[MANY][MANY];
    const int *items[MANY];
    int least[MANY];
    int most[MANY];
    swp_context *ctx = swp_context_new(NULL);
    const swp_limits limits = {.work = 100000};
    (void)state;
    for (int v = 0; v < MANY; v++) {
        least[v] = 1;
        most[v] = 3;
        for (int w = 0; w < MANY; w++)
            ways[v][w] = (v + w) % 3 == 0 ? 2 : 3;
        items[v] = ways[v];
        values[v].bytes = 1 + v % 3;
    }
    const swp_loop loop = {.values = values, .value_count = MANY};
    const swp_slot_space space = {&loop, least, most, {150, -1}};
    const swp_slot_pool pool = {items, MANY, MANY};
    const int *open = NULL;
    swp_context_set_limits(ctx, &limits);
    swp_judgement judgement = {.ctx = ctx, .budget = swp_budget_start(ctx, 0)};
    const swp_status status = swp_certify_find_open_way(ctx, &judgement, &space, &pool, &open);
    assert_true(status == SWP_STOPPED || (status == SWP_OK && open));
    swp_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_ways_are_found_if_there_are_any),
        cmocka_unit_test(a_limit_ends_the_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
