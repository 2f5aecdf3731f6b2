/* SPDX-License-Identifier: Apache-2.0 */
#include "../schedules.h"

#include "fixture.h"

#include "emit/c/header.h"

#include <stdio.h>

static swp_status find(swp_context *ctx, const swp_schedule *schedule, swp_c_header *header)
{
    *header = (swp_c_header){.ctx = ctx, .schedule = schedule};
    return swp_c_find_tiles(header);
}

/* The tiles of the entries of a role, in order; how many there are. */
static size_t tiles_of(const swp_c_header *header, swp_phase phase, swp_role role, int tiles[8])
{
    const swp_entry_list *entries = swp_schedule_phase(header->schedule, phase);
    size_t count = 0;
    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i].op.role == role && count < 8)
            tiles[count++] = header->tiles[phase][i];
    return count;
}

static void assert_tiles(const swp_c_header *header, swp_phase phase, swp_role role,
                         const char *expected)
{
    int tiles[8];
    char text[64] = "";
    const size_t count = tiles_of(header, phase, role, tiles);
    for (size_t i = 0, at = 0; i < count; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%d", i ? " " : "", tiles[i]);
    assert_string_equal(text, expected);
}

/* Pass i computes tile i, stores tile i + 1 and loads tile i + 2 (docs/schedules.md, "How a kernel runs them"). */
static void the_single_buffer_takes_one_tile_after_the_other(void **state)
{
    swp_schedule *schedule = single_buffer(*state);
    swp_c_header header;
    assert_int_equal(find(*state, schedule, &header), SWP_OK);
    assert_tiles(&header, SWP_PROLOGUE, SWP_GLOBAL_LOAD, "0 1");
    assert_tiles(&header, SWP_PROLOGUE, SWP_SHARED_STORE, "0");
    assert_tiles(&header, SWP_KERNEL, SWP_GLOBAL_LOAD, "2");
    assert_tiles(&header, SWP_KERNEL, SWP_SHARED_STORE, "1");
    assert_tiles(&header, SWP_KERNEL, SWP_COMPUTE, "0 0");
    assert_tiles(&header, SWP_EPILOGUE, SWP_SHARED_STORE, "1");
    assert_tiles(&header, SWP_EPILOGUE, SWP_COMPUTE, "0 0 1 1");
    swp_schedule_free(schedule);
}

/* Half h of a pass with base kb consumes the tile at kb - 2 + h (docs/schedules.md, "How a kernel runs them"). */
static void the_double_buffer_goes_by_its_k_offsets(void **state)
{
    swp_schedule *schedule = pingpong(*state);
    swp_c_header header;
    assert_int_equal(find(*state, schedule, &header), SWP_OK);
    assert_tiles(&header, SWP_PROLOGUE, SWP_GLOBAL_LOAD, "0 0 0 0 1 1 1");
    assert_tiles(&header, SWP_KERNEL, SWP_GLOBAL_LOAD, "-1 0 0 0 0 1 1 1");
    assert_tiles(&header, SWP_KERNEL, SWP_COMPUTE, "-2 -2 -2 -2 -1 -1 -1 -1");
    assert_tiles(&header, SWP_EPILOGUE, SWP_COMPUTE, "-2 -2 -2 -2 -1 -1 -1 -1");
    assert_tiles(&header, SWP_EPILOGUE, SWP_GLOBAL_LOAD, "-1");
    swp_schedule_free(schedule);
}

static void loads_that_outrun_the_loop_are_refused(void **state)
{
    swp_schedule *schedule = single_buffer(*state);
    swp_c_header header;
    schedule->loop.tiles_per_pass = 2;
    assert_int_equal(find(*state, schedule, &header), SWP_INVALID);
    assert_diag(*state, "E0801", "has 1 load, each of the next tile, but a pass is 2 tiles");
    swp_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST_IN_CONTEXT(the_single_buffer_takes_one_tile_after_the_other),
        TEST_IN_CONTEXT(the_double_buffer_goes_by_its_k_offsets),
        TEST_IN_CONTEXT(loads_that_outrun_the_loop_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
