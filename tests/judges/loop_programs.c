/* SPDX-License-Identifier: Apache-2.0 */
#include "loop_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "editor.h"
#include "random_loop.h"

static void *take(swp_context *ctx, size_t bytes)
{
    void *memory = swp_context_take(ctx, bytes + 1);
    if (!memory)
        abort();
    return memory;
}

static swp_entry_list copy_of(swp_context *ctx, const swp_entry_list *entries)
{
    swp_entry_list out = {0};
    for (size_t i = 0; i < entries->count; i++)
        if (swp_entry_list_push(ctx, &out, entries->items[i]) != SWP_OK)
            abort();
    return out;
}

static swp_entry_list *copies_of(swp_context *ctx, const swp_entry_list *lists, size_t count)
{
    swp_entry_list *out = take(ctx, count * sizeof *out);
    for (size_t i = 0; i < count; i++)
        out[i] = copy_of(ctx, &lists[i]);
    return out;
}

swp_schedule loop_program_copy(swp_context *ctx, const swp_schedule *schedule)
{
    swp_schedule out = *schedule;
    out.streams[0].prologue = copy_of(ctx, &schedule->streams[0].prologue);
    out.streams[0].kernel = copy_of(ctx, &schedule->streams[0].kernel);
    out.streams[0].epilogue = copy_of(ctx, &schedule->streams[0].epilogue);
    out.streams[0].tails.epilogues = copies_of(ctx, schedule->streams[0].tails.epilogues,
                                               schedule->streams[0].tails.epilogue_count);
    out.streams[0].tails.straight = copies_of(ctx, schedule->streams[0].tails.straight,
                                              schedule->streams[0].tails.straight_count);
    return out;
}

static void print_list(const swp_entry_list *entries, const char *name)
{
    printf("  %s (%zu):", name, entries->count);
    for (size_t i = 0; i < entries->count; i++) {
        const swp_op *op = &entries->items[i].op;
        if (op->tag == SWP_TAG_BARRIER)
            printf(" |");
        else if (op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM)
            printf(" %c%d", op->tag == SWP_TAG_WAIT_VM ? 'v' : 'l', op->wait_value);
        else
            printf(" op%d:%d", op->tag, op->iteration);
    }
    printf("\n");
}

void loop_program_print(const swp_schedule *schedule)
{
    static const char *const names[] = {"prologue", "kernel", "epilogue"};
    const swp_machine *m = &schedule->machine;
    const swp_loop *loop = schedule->dataflow->loop;
    swp_schedule copy = *schedule;
    print_loop(loop);
    for (size_t v = 0; v < loop->value_count; v++)
        printf("%s has %d slots; ", loop->values[v].name, schedule->dataflow->slots[v]);
    for (size_t o = 0; o < loop->op_count; o++)
        printf("%s *%d ", loop->ops[o].name, loop->ops[o].accesses);
    printf("\n%d groups of %d, lag %d at %d%s, %s, %s, vm_max %d, lgkm_max %d, %s\n", m->groups,
           m->waves_per_group, m->lag, m->lag_prologue_index,
           m->lag_end_barrier ? "" : " without end barrier",
           m->barrier == SWP_BARRIER_FENCED ? "fenced" : "raw",
           m->registers == SWP_REGISTERS_RAW ? "raw registers" : "managed", m->vm_max, m->lgkm_max,
           m->counter_full == SWP_COUNTER_WRAPS ? "wraps" : "stall");
    printf("least N %d, %d iterations a pass%s\n", schedule->loop.min_tiles,
           schedule->loop.tiles_per_pass,
           schedule->drops_loop_barrier ? ", without the loop's barrier" : "");
    for (int list = 0; list < stream_lists(&copy.streams[0]); list++)
        print_list(stream_list(&copy.streams[0], list),
                   list < 3 ? names[list]
                            : (list < 3 + (int)schedule->streams[0].tails.epilogue_count
                                   ? "other epilogue"
                                   : "straight"));
}
