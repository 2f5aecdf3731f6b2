/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least interval of small random loops with roles against plain enumeration: which role does each op, the slots of
 * each value, by how much each instance is shifted, and when each op is issued within the interval.
 */
/* open_memstream() */
#define _POSIX_C_SOURCE 200809L

#include "enumerated_roles.h"
#include "fixture.h"
#include "random.h"

#include "swp/certificate.h"
#include "swp/certify_loop.h"

#include <stdio.h>
#include <stdlib.h>

static void print_case(size_t index, const small_loop *small)
{
    (void)printf("case %zu: signal %d, %d shared\n", index, (int)small->loop.signal,
                 (int)small->loop.shared_budget);
    for (int r = 0; r < SMALL_ROLES; r++)
        (void)printf("  role %d: %d instances, %d registers\n", r, small->roles[r].instances,
                     small->roles[r].registers);
    for (int v = 0; v < small->value_count; v++)
        (void)printf("  v%d: %s, %d bytes, up to %d slots\n", v,
                     swp_space_name(small->values[v].space), (int)small->values[v].bytes,
                     small->values[v].most_slots);
    for (int o = 0; o < small->op_count; o++) {
        const swp_loop_op *op = &small->ops[o];
        (void)printf("  op%d: role %d%s, latency %d, reads for %d, issues for %d, uses", o,
                     op->role, op->role_count > 0 ? " or the other" : "", (int)op->latency,
                     (int)op->read_cycles, (int)op->issue);
        for (size_t u = 0; u < op->use_count; u++)
            (void)printf(" %d:%d", op->uses[u].resource, (int)op->uses[u].cycles);
        for (size_t r = 0; r < op->read_count; r++)
            (void)printf(", reads v%d of %d before", op->reads[r].value, op->reads[r].distance);
        (void)printf("%s v%d\n", op->write_count > 0 ? ", writes" : ", updates",
                     op->write_count > 0 ? op->writes[0] : op->updates[0]);
    }
}

static swp_loop_answer answer_of(const swp_pipeline *p, int *roles)
{
    swp_loop_answer a = {.interval = p->answer.value,
                         .bound = p->answer.bound,
                         .times = p->answer.times,
                         .time_count = p->loop->op_count,
                         .slots = p->slots,
                         .slot_count = p->loop->value_count,
                         .shifts = p->shifts,
                         .roles = roles};
    for (size_t o = 0; o < p->loop->op_count; o++)
        roles[o] = p->loop->ops[o].role;
    for (size_t r = 0; r < p->loop->role_count; r++)
        a.shift_count += (size_t)p->loop->roles[r].instances - 1;
    a.costs[SWP_LEAST_SHARED] = p->bytes[SWP_SPACE_SHARED];
    a.costs[SWP_LEAST_REGISTERS] = p->bytes[SWP_SPACE_REGISTERS];
    a.costs[SWP_LEAST_STAGES] = p->stages;
    for (int o = 0; o < SWP_OBJECTIVE_COUNT; o++)
        a.least[o] = p->proven[o];
    return a;
}

/* What the checker says of a pipeline with all parts of its certificate but the last `without`. */
static swp_certificate_verdict judge(swp_context *ctx, const swp_loop *loop, const swp_pipeline *p,
                                     size_t without)
{
    char *text = NULL;
    size_t length = 0;
    swp_loop_certificate certificate;
    swp_certificate_report report;
    int roles[SMALL_OPS];
    const swp_loop_answer answer = answer_of(p, roles);
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    assert_ok(ctx, swp_loop_certificate_write(ctx, p, stream));
    (void)fclose(stream);
    const swp_problem_text all = {text, length, {"certificate", 1, 1}};
    assert_ok(ctx, swp_loop_certificate_read(ctx, &all, &certificate));
    certificate.part_count -= without < certificate.part_count ? without : certificate.part_count;
    (void)swp_loop_certificate_check(ctx, loop, &answer, &certificate, &report);
    free(text);
    return report.verdict;
}

typedef struct tally {
    size_t compared;
    size_t shifted;  /* in which an instance is shifted */
    size_t by_shift; /* whose interval is refuted shift by shift */
    size_t moved;    /* in which an op has not the first of its roles */
    size_t none;     /* that have no pipeline */
} tally;

static void compare(swp_context *ctx, size_t index, const small_loop *small, tally *sum)
{
    swp_pipeline p;
    const int expected = enumerated_interval(small);
    const swp_status status = swp_pipeline_loop(ctx, &small->loop, &p);
    if (expected > SMALL_INTERVAL) {
        assert_true(status == SWP_INFEASIBLE || has_diag(ctx, "E0333", NULL));
        sum->none++;
        return;
    }
    assert_ok(ctx, status);
    if (p.answer.value != expected || !p.interval_proven) {
        print_case(index, small);
        (void)printf("interval %d%s, and %d by enumeration\n", (int)p.answer.value,
                     p.interval_proven ? "" : " (not proven)", expected);
    }
    assert_int_equal(p.answer.value, expected);
    assert_true(p.interval_proven);
    assert_int_equal(judge(ctx, &small->loop, &p, 0), SWP_CERTIFICATE_ACCEPTED);
    if (p.bound_answer.bound_kind == SWP_BOUND_SHIFTS)
        assert_int_equal(judge(ctx, &small->loop, &p, 1), SWP_CERTIFICATE_REFUSED);
    bool shifted = false;
    for (int r = 0, i = 0; r < SMALL_ROLES; r++)
        for (int instance = 1; instance < small->roles[r].instances; instance++)
            shifted |= p.shifts[i++] > 0;
    bool moved = false;
    for (int o = 0; o < small->op_count; o++)
        moved |= small->ops[o].role_count > 0 && p.loop->ops[o].role != small->ops[o].role;
    sum->moved += moved;
    sum->compared++;
    sum->shifted += shifted;
    sum->by_shift += p.bound_answer.bound_kind == SWP_BOUND_SHIFTS;
}

static void intervals_are_those_of_enumeration(void **state)
{
    const uint64_t seed = random_seed(31);
    const size_t cases = random_sample(200);
    tally sum = {0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        test_random random = random_for_case(seed, i);
        small_loop *small = calloc(1, sizeof *small);
        assert_non_null(ctx);
        assert_non_null(small);
        make_small_loop(&random, small);
        compare(ctx, i, small, &sum);
        free(small);
        swp_context_free(ctx);
    }
    (void)printf("%zu loops with a pipeline, %zu without, %zu with shifts, %zu refuted shift by "
                 "shift, %zu with another role than the first\n",
                 sum.compared, sum.none, sum.shifted, sum.by_shift, sum.moved);
    assert_true(sum.shifted > cases / 10 && sum.moved > cases / 10);
}

/* Times so long that not all shifts are asked about: what is claimed is no more than the certificate shows. */
static void lengthen(small_loop *small)
{
    enum { FACTOR = 300 };
    for (int o = 0; o < small->op_count; o++) {
        small->ops[o].latency *= FACTOR;
        small->ops[o].read_cycles *= FACTOR;
        small->ops[o].issue *= FACTOR;
        for (size_t u = 0; u < small->ops[o].use_count; u++)
            small->uses[o][u].cycles *= FACTOR;
    }
}

static void long_intervals_claim_what_is_proven(void **state)
{
    const uint64_t seed = random_seed(32);
    const size_t cases = random_sample(20);
    size_t open = 0;
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        swp_context *ctx = swp_context_new(NULL);
        test_random random = random_for_case(seed, i);
        small_loop *small = calloc(1, sizeof *small);
        swp_pipeline p;
        assert_non_null(ctx);
        assert_non_null(small);
        make_small_loop(&random, small);
        lengthen(small);
        if (swp_pipeline_loop(ctx, &small->loop, &p) == SWP_OK) {
            assert_int_equal(judge(ctx, &small->loop, &p, 0), SWP_CERTIFICATE_ACCEPTED);
            open += !p.interval_proven;
        }
        free(small);
        swp_context_free(ctx);
    }
    (void)printf("%zu of %zu loops with a gap\n", open, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_those_of_enumeration),
        cmocka_unit_test(long_intervals_claim_what_is_proven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
