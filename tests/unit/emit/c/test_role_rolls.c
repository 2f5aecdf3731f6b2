/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "emit/c/roles.h"

#include <string.h>

enum { ITERATIONS = 8, OWN = 2, MOST = OWN * ITERATIONS };

/* A role that waits for a phase and gives another back, in each of eight iterations. */
typedef struct ring {
    swp_schedule schedule;
    swp_role_object objects[2];
    swp_entry kernel[MOST], epilogue[OWN], tails[ITERATIONS - 1][MOST + OWN];
    swp_entry_list epilogues[ITERATIONS - 1];
} ring;

static size_t put_iteration(swp_entry *entries, int iteration)
{
    for (int i = 0; i < OWN; i++) {
        entries[i].op = swp_op_none();
        entries[i].op.tag = i == 0 ? SWP_TAG_WAIT_PHASE : SWP_TAG_ARRIVE;
        entries[i].op.object = i;
        entries[i].op.iteration = iteration + i;
    }
    return OWN;
}

static void make_ring(ring *r)
{
    swp_stream *stream = &r->schedule.streams[0];
    size_t count = 0;
    memset(r, 0, sizeof *r);
    r->schedule.loop.tiles_per_pass = ITERATIONS;
    r->schedule.output_tiles = true;
    r->schedule.stream_count = 1;
    r->schedule.objects = r->objects;
    r->schedule.object_count = 2;
    for (int i = 0; i < ITERATIONS; i++)
        count += put_iteration(&r->kernel[count], i);
    stream->kernel = (swp_entry_list){.items = r->kernel, .count = count};
    stream->epilogue =
        (swp_entry_list){.items = r->epilogue, .count = put_iteration(r->epilogue, 0)};
    for (int remainder = 1; remainder < ITERATIONS; remainder++) {
        count = 0;
        for (int i = 0; i <= remainder; i++)
            count += put_iteration(&r->tails[remainder - 1][count], i);
        r->epilogues[remainder - 1] =
            (swp_entry_list){.items = r->tails[remainder - 1], .count = count};
    }
    stream->tails.epilogues = r->epilogues;
    stream->tails.epilogue_count = ITERATIONS - 1;
    r->objects[0].clock = r->objects[1].clock = SWP_PASS_CLOCK;
}

static void a_pass_whose_iterations_do_the_same_is_one_of_them(void **state)
{
    (void)state;
    ring r;
    make_ring(&r);
    assert_true(swp_c_role_rolls(&r.schedule, 0));
    assert_int_equal(swp_c_role_pass(&r.schedule, 0), 1);
}

static void whatever_differs_is_written_out(void **state)
{
    (void)state;
    ring r;
    make_ring(&r);
    r.kernel[5].op.iteration++;
    assert_false(swp_c_role_rolls(&r.schedule, 0));
    make_ring(&r);
    r.kernel[4].op.wait_value++;
    assert_false(swp_c_role_rolls(&r.schedule, 0));
    make_ring(&r);
    r.tails[2][3].op.by = SWP_ONE_THREAD;
    assert_false(swp_c_role_rolls(&r.schedule, 0));
    make_ring(&r);
    r.epilogue[1].op.iteration++;
    assert_false(swp_c_role_rolls(&r.schedule, 0));
    make_ring(&r);
    r.epilogues[3].count--;
    assert_false(swp_c_role_rolls(&r.schedule, 0));
    make_ring(&r);
    r.objects[0].clock = SWP_TILE_CLOCK;
    assert_false(swp_c_role_rolls(&r.schedule, 0));
    assert_int_equal(swp_c_role_pass(&r.schedule, 0), ITERATIONS);
}

static void do_work(swp_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i += OWN) {
        entries[i].op.tag = swp_tag_of_loop_op(0);
        entries[i].op.object = -1;
    }
}

/* In place of each wait stands an op that makes a register value. */
static void a_register_value_of_several_slots_is_written_out(void **state)
{
    (void)state;
    static const int writes[] = {0};
    const swp_loop_value value = {.name = "P", .space = SWP_SPACE_REGISTERS};
    const swp_loop_op op = {.name = "PACK", .writes = writes, .write_count = 1};
    const swp_loop loop = {.values = &value, .value_count = 1, .ops = &op, .op_count = 1};
    int slots[] = {1};
    const swp_loop_dataflow dataflow = {.loop = &loop, .slots = slots};
    ring r;
    make_ring(&r);
    do_work(r.kernel, MOST);
    do_work(r.epilogue, OWN);
    for (int i = 0; i < ITERATIONS - 1; i++)
        do_work(r.tails[i], r.epilogues[i].count);
    r.schedule.dataflow = &dataflow;
    assert_true(swp_c_role_rolls(&r.schedule, 0));
    slots[0] = 2;
    assert_false(swp_c_role_rolls(&r.schedule, 0));
}

/* Their slots are literals, which follow from the place in the pass. */
static void a_run_without_output_tiles_is_written_out(void **state)
{
    (void)state;
    ring r;
    make_ring(&r);
    r.schedule.output_tiles = false;
    assert_false(swp_c_role_rolls(&r.schedule, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_whose_iterations_do_the_same_is_one_of_them),
        cmocka_unit_test(whatever_differs_is_written_out),
        cmocka_unit_test(a_register_value_of_several_slots_is_written_out),
        cmocka_unit_test(a_run_without_output_tiles_is_written_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
