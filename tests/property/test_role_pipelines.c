/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The least interval of small random loops with roles against plain enumeration of the slots of each value, by how much
 * each instance is shifted, and when each op is issued within the interval.
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
        (void)printf("  role %d: %d instances\n", r, small->roles[r].instances);
    for (int v = 0; v < small->value_count; v++)
        (void)printf("  v%d: %s, %d bytes, up to %d slots\n", v,
                     swp_space_name(small->values[v].space), (int)small->values[v].bytes,
                     small->values[v].most_slots);
    for (int o = 0; o < small->op_count; o++) {
        const swp_loop_op *op = &small->ops[o];
        (void)printf("  op%d: role %d, latency %d, reads for %d, uses", o, op->role,
                     (int)op->latency, (int)op->read_cycles);
        for (size_t u = 0; u < op->use_count; u++)
            (void)printf(" %d:%d", op->uses[u].resource, (int)op->uses[u].cycles);
        for (size_t r = 0; r < op->read_count; r++)
            (void)printf(", reads v%d of %d before", op->reads[r].value, op->reads[r].distance);
        (void)printf("%s v%d\n", op->write_count > 0 ? ", writes" : ", updates",
                     op->write_count > 0 ? op->writes[0] : op->updates[0]);
    }
}

static swp_loop_answer answer_of(const swp_pipeline *p)
{
    swp_loop_answer a = {.interval = p->answer.value,
                         .bound = p->answer.bound,
                         .times = p->answer.times,
                         .time_count = p->loop->op_count,
                         .slots = p->slots,
                         .slot_count = p->loop->value_count,
                         .shifts = p->shifts};
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
    const swp_loop_answer answer = answer_of(p);
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
} tally;

static void compare(swp_context *ctx, size_t index, const small_loop *small, tally *sum)
{
    swp_pipeline p;
    const int expected = enumerated_interval(small);
    const swp_status status = swp_pipeline_loop(ctx, &small->loop, &p);
    if (expected > SMALL_INTERVAL) {
        assert_status(ctx, status, SWP_INFEASIBLE);
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
    sum->compared++;
    sum->shifted += shifted;
    sum->by_shift += p.bound_answer.bound_kind == SWP_BOUND_SHIFTS;
}

static void intervals_are_those_of_enumeration(void **state)
{
    const uint64_t seed = random_seed(31);
    const size_t cases = random_sample(400);
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
    (void)printf("%zu loops, %zu with shifts, %zu refuted shift by shift\n", sum.compared,
                 sum.shifted, sum.by_shift);
    assert_true(sum.shifted > cases / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_are_those_of_enumeration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
