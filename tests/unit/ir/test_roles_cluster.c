/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules of clusters that have no meaning (docs/roles-reference.md, "Clusters"). */
#include "fixture.h"
#include "safe_roles.h"

#include "ir/roles.h"

enum { LOAD, MMA }; /* ops of safe_cluster() */

static void expect_refused(roles_program *p, const char *words)
{
    assert_int_equal(swp_ir_check_roles(p->ctx, &p->schedule), SWP_INVALID);
    assert_diag(p->ctx, "E0705", words);
}

static swp_loop_op *op_of(const roles_program *p, int op)
{
    return (swp_loop_op *)&p->loop.ops[op];
}

static void numbers_of_work_groups(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    assert_ok(p.ctx, swp_ir_check_roles(p.ctx, &p.schedule));
    p.schedule.cluster = SWP_MOST_CLUSTER;
    assert_ok(p.ctx, swp_ir_check_roles(p.ctx, &p.schedule));
    p.schedule.cluster = SWP_MOST_CLUSTER + 1;
    expect_refused(&p, "the schedule has a cluster of 9 work groups");
    p.schedule.cluster = -1;
    expect_refused(&p, "the schedule has a cluster of -1 work groups");
}

static void what_a_work_group_alone_has_not(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    p.schedule.cluster = 1;
    expect_refused(&p, "prologue entry 2: its op is a multicast, and there is one work group");
    op_of(&p, LOAD)->multicast = false;
    expect_refused(&p, "producer, epilogue entry 0: it is of a cluster's barrier");
    roles_program_drop(&p, PRODUCER, SWP_EPILOGUE, 0);
    expect_refused(&p, "producer, epilogue entry 0: it is of a cluster's barrier");
    roles_program_drop(&p, PRODUCER, SWP_EPILOGUE, 0);
    expect_refused(&p, "consumer, kernel entry 4: it arrives in all work groups of a cluster");
}

static void who_goes_to_all(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    roles_program_op(&p, PRODUCER, SWP_KERNEL, 1)->to = SWP_TO_ALL;
    expect_refused(&p, "kernel entry 1: it goes to all work groups, and only `arrive` may");
    safe_cluster(&p, *state);
    op_of(&p, LOAD)->multicast = false;
    op_of(&p, MMA)->multicast = true;
    expect_refused(&p, "consumer, prologue entry 2: its op is a multicast, and no tensor copy");
    safe_cluster(&p, *state);
    p.schedule.streams[PRODUCER].instances = 2;
    expect_refused(&p, "prologue entry 2: its op is a multicast, and its role has several");
}

static void clusters_have_a_meaning(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    assert_ok(p.ctx, swp_ir_check_role_loop(p.ctx, &p.schedule));
}

static void arrivals_count_at_each_work_group(void **state)
{
    roles_program p;
    safe_cluster(&p, *state);
    assert_int_equal(swp_count_role_sync(&p.schedule).arrivals, 5);
    p.schedule.cluster = 8;
    assert_int_equal(swp_count_role_sync(&p.schedule).arrivals, 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(numbers_of_work_groups),
        CONTEXT_TEST(what_a_work_group_alone_has_not),
        CONTEXT_TEST(who_goes_to_all),
        CONTEXT_TEST(clusters_have_a_meaning),
        CONTEXT_TEST(arrivals_count_at_each_work_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
