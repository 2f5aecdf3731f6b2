/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores of refutations of random loops: their uses and dependences alone have no schedule below the bound,
 * and with any one of them given up there is one, by enumeration.
 */
#include "fixture.h"
#include "hard_loop.h"
#include "random_loop.h"

#include <stdio.h>
#include <string.h>

enum { MOST_PARTS = 256, MOST_USES = 64, MOST_OPS = 16, MOST_NODES = 2000000 };

/* The parts of a core, as a problem. */
typedef struct core_problem {
    swp_problem_op ops[MOST_OPS];
    swp_problem_use uses[MOST_OPS][MOST_USES];
    swp_problem_edge edges[MOST_PARTS];
    swp_problem problem;
} core_problem;

/* Without part `out`, of the uses and then the edges. */
static void write_core(const swp_pipeline *p, size_t out, core_problem *c)
{
    const swp_problem *whole = &p->bound_problem.problem;
    const swp_loop_core *core = &p->bound_core;
    assert_true(core->edge_count <= MOST_PARTS && whole->op_count <= MOST_OPS);
    for (size_t i = 0; i < whole->op_count; i++) {
        c->ops[i] = whole->ops[i];
        c->ops[i].uses = c->uses[i];
        c->ops[i].use_count = 0;
    }
    for (size_t i = 0; i < core->use_count; i++) {
        const swp_loop_use *use = &core->uses[i];
        swp_problem_op *op = &c->ops[use->op];
        if (i != out)
            c->uses[use->op][op->use_count++] = whole->ops[use->op].uses[use->use];
    }
    c->problem = *whole;
    c->problem.ops = c->ops;
    c->problem.edges = c->edges;
    c->problem.edge_count = 0;
    for (size_t i = 0; i < core->edge_count; i++)
        if (i + core->use_count != out)
            c->edges[c->problem.edge_count++] = whole->edges[core->edges[i]];
}

static bool has_schedule(const swp_pipeline *p, size_t out)
{
    static core_problem c;
    write_core(p, out, &c);
    const plain_verdict verdict =
        plain_loop_has_schedule(&c.problem, p->bound_answer.bound - 1, MOST_NODES);
    assert_true(verdict != PLAIN_GAVE_UP);
    return verdict == PLAIN_YES;
}

typedef struct tally {
    size_t refuted;
    size_t smaller; /* cores without all dependences */
} tally;

static void check_core(loop_case *c, void *into)
{
    tally *sum = into;
    swp_pipeline p;
    if (swp_pipeline_loop(c->ctx, &c->loop, &p) != SWP_OK)
        return;
    const size_t parts = p.bound_core.use_count + p.bound_core.edge_count;
    if (p.bound_answer.bound_kind != SWP_BOUND_REFUTATION) {
        assert_int_equal(parts, 0);
        return;
    }
    sum->refuted++;
    sum->smaller += p.bound_core.edge_count < p.bound_problem.problem.edge_count;
    assert_true(p.bound_core.minimal);
    assert_false(has_schedule(&p, SIZE_MAX));
    for (size_t i = 0; i < parts; i++)
        assert_true(has_schedule(&p, i));
}

static void cores_alone_have_no_schedule(void **state)
{
    static const loop_shape shape = {
        .most_ops = 7, .most_values = 5, .most_cycles = 6, .most_slots = 2};
    const uint64_t seed = random_seed(11);
    const size_t cases = random_sample(3000);
    tally sum = {0};
    (void)state;
    for_random_loops(&shape, seed, cases, check_core, &sum);
    (void)printf("%zu of %zu loops refuted, %zu cores without all dependences\n", sum.refuted,
                 cases, sum.smaller);
    assert_true(sum.refuted > cases / 100);
    assert_true(sum.smaller > sum.refuted / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cores_alone_have_no_schedule)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
