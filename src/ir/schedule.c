/* SPDX-License-Identifier: Apache-2.0 */
/* A compiled schedule and its forms: one for each remainder and each number of tiles below the least. */
#include "base/arena.h"
#include "base/require.h"
#include "swp/compile.h"

void swp_schedule_free(swp_schedule *schedule)
{
    if (schedule)
        swp_arena_free(schedule->arena);
}

const char *swp_schedule_op_name(const swp_schedule *schedule, int tag)
{
    SWP_REQUIRE_OR("", schedule);
    const char *name = swp_infrastructure_name(tag);
    if (name)
        return name;
    const bool is_named = tag >= 0 && tag < SWP_KERNEL_TAGS && schedule->op_names;
    return is_named && schedule->op_names[tag] ? schedule->op_names[tag] : "?";
}

const swp_entry_list *swp_schedule_phase(const swp_schedule *schedule, swp_phase phase)
{
    SWP_REQUIRE_OR(NULL, schedule);
    switch (phase) {
    case SWP_PROLOGUE:
        return &schedule->prologue;
    case SWP_EPILOGUE:
        return &schedule->epilogue;
    case SWP_KERNEL:
        break;
    }
    return &schedule->kernel;
}

/* A schedule without tails has one form, itself. */
static bool has_tails(const swp_schedule *schedule)
{
    return schedule->tails.epilogue_count > 0 || schedule->tails.straight_count > 0;
}

int swp_schedule_forms(const swp_schedule *schedule)
{
    SWP_REQUIRE_OR(0, schedule);
    return 1 + (int)(schedule->tails.epilogue_count + schedule->tails.straight_count);
}

swp_schedule swp_schedule_form(const swp_schedule *schedule, int form)
{
    SWP_REQUIRE_OR((swp_schedule){0}, schedule);
    swp_schedule out = *schedule;
    const int remainders = 1 + (int)schedule->tails.epilogue_count;
    if (!has_tails(schedule))
        return out;
    out.tails = (swp_tails){0};
    out.loop.multiple = 1;
    if (form >= remainders) {
        const int n = form - remainders;
        out.prologue = (swp_entry_list){0};
        out.kernel = (swp_entry_list){0};
        out.epilogue = schedule->tails.straight[n];
        out.loop.min_tiles = n;
        out.loop.tiles_per_pass = 0;
    } else if (form > 0) {
        out.epilogue = schedule->tails.epilogues[form - 1];
        out.loop.min_tiles += form;
    }
    return out;
}

int swp_schedule_form_of(const swp_schedule *schedule, int n)
{
    SWP_REQUIRE_OR(0, schedule);
    const swp_loop_shape *loop = &schedule->loop;
    const int remainders = 1 + (int)schedule->tails.epilogue_count;
    if (n < 0 || loop->tiles_per_pass < 1)
        return loop->tiles_per_pass == 0 && n == loop->min_tiles ? 0 : -1;
    if (n < loop->min_tiles)
        return (size_t)n < schedule->tails.straight_count ? remainders + n : -1;
    const int rest = (n - loop->min_tiles) % loop->tiles_per_pass;
    if (loop->multiple < 1 || n % loop->multiple != 0 || rest >= remainders)
        return -1;
    return rest;
}
