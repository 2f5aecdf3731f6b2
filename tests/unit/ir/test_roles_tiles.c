/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules with output tiles that have no meaning (docs/roles-reference.md, "Output tiles"). */
#include "fixture.h"
#include "safe_roles.h"

#include "ir/roles.h"

enum { CLEAR, LOAD, MMA, STAGE, STORE }; /* ops of safe_tiles() */
enum { T, C, D };                        /* its values */

static void expect_refused(roles_program *p, const char *words)
{
    assert_int_equal(swp_ir_check_roles(p->ctx, &p->schedule), SWP_INVALID);
    assert_diag(p->ctx, "E0705", words);
}

static void push(roles_program *p, swp_phase list, int op, int iteration)
{
    swp_entry entry = p->schedule.streams[CONSUMER].begin.items[0];
    entry.op.tag = swp_tag_of_loop_op(op);
    entry.op.iteration = iteration;
    entry.phase = list;
    assert_ok(p->ctx,
              swp_entry_list_push(
                  p->ctx, (swp_entry_list *)swp_stream_phase(&p->schedule.streams[CONSUMER], list),
                  entry));
}

static swp_loop_op *op_of(const roles_program *p, int op)
{
    return (swp_loop_op *)&p->loop.ops[op];
}

static void safe_ones_have_a_meaning(void **state)
{
    roles_program p;
    safe_tiles(&p, *state);
    assert_ok(p.ctx, swp_ir_check_roles(p.ctx, &p.schedule));
    safe_queries(&p, *state);
    assert_ok(p.ctx, swp_ir_check_roles(p.ctx, &p.schedule));
}

static void tiles_that_nobody_said(void **state)
{
    roles_program p;
    safe_tiles(&p, *state);
    p.schedule.output_tiles = false;
    expect_refused(&p, "has no output tiles");
}

static void a_named_barrier_that_counts_tiles(void **state)
{
    roles_program p;
    safe_tiles(&p, *state);
    p.objects[2].clock = SWP_TILE_CLOCK;
    expect_refused(&p, "object free is a named barrier");
}

static void entries_where_they_may_not_stand(void **state)
{
    roles_program p;
    safe_tiles(&p, *state);
    push(&p, SWP_KERNEL, CLEAR, 0);
    expect_refused(&p, "kernel entry 5: the kernel has an op of the tile clock");
    safe_tiles(&p, *state);
    push(&p, SWP_DRAIN, STAGE, 0);
    expect_refused(&p, "drain entry 1: drain has an op of the dataflow");
    safe_tiles(&p, *state);
    push(&p, SWP_END, CLEAR, 1);
    expect_refused(&p, "end entry 7: it touches registers of the pass clock for another tile");
    safe_tiles(&p, *state);
    push(&p, SWP_BEGIN, STAGE, 0);
    expect_refused(&p, "begin entry 1: it reads what the passes of its tile make");
    safe_queries(&p, *state);
    p.objects[FULL].clock = SWP_TILE_CLOCK;
    expect_refused(&p, "kernel entry 1: the kernel has an mbarrier of the tile clock");
    safe_queries(&p, *state);
    roles_program_op(&p, PRODUCER, SWP_BEGIN, 2)->object = FULL;
    expect_refused(&p, "begin entry 2: it completes on an mbarrier of the other clock");
}

static void ops_that_mix_the_clocks(void **state)
{
    roles_program p;
    safe_tiles(&p, *state);
    ((swp_loop_read *)op_of(&p, STAGE)->reads)[0].value = T;
    expect_refused(&p, "op STAGE: once a tile it reads the shared value of passes T");
    safe_tiles(&p, *state);
    ((swp_loop_read *)op_of(&p, STAGE)->reads)[0].distance = 1;
    expect_refused(&p, "op STAGE: once a tile it reads an earlier version than the last of C");
    safe_tiles(&p, *state);
    ((swp_loop_read *)op_of(&p, MMA)->reads)[0].distance = 1;
    expect_refused(&p, "op MMA: at iteration 0 it reads what another tile left in");
    safe_tiles(&p, *state);
    *((swp_loop_read *)op_of(&p, MMA)->reads) = (swp_loop_read){.value = D, .distance = 1};
    expect_refused(&p, "op MMA: in passes it reads an earlier tile's version of D");
    safe_tiles(&p, *state);
    *((swp_loop_read *)op_of(&p, MMA)->reads) = (swp_loop_read){.value = C, .distance = 2};
    expect_refused(&p, "op MMA: it reads from more than one iteration before");
}

static void registers_of_passes_that_tiles_make(void **state)
{
    static const int sum[] = {C};
    roles_program p;
    safe_tiles(&p, *state);
    op_of(&p, STAGE)->updates = sum;
    op_of(&p, STAGE)->update_count = 1;
    expect_refused(&p, "op STAGE: once a tile it updates what passes make, C");
    safe_tiles(&p, *state);
    op_of(&p, STAGE)->writes = sum;
    expect_refused(&p, "op STAGE: it is the second that once a tile writes C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(safe_ones_have_a_meaning),
        CONTEXT_TEST(tiles_that_nobody_said),
        CONTEXT_TEST(a_named_barrier_that_counts_tiles),
        CONTEXT_TEST(entries_where_they_may_not_stand),
        CONTEXT_TEST(ops_that_mix_the_clocks),
        CONTEXT_TEST(registers_of_passes_that_tiles_make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
