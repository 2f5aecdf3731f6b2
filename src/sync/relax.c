/* SPDX-License-Identifier: Apache-2.0 */
#include "sync/relax.h"

#include "base/context.h"
#include "swp/verify.h"

#include <string.h>

/* The proof needs much memory and keeps none of it, so each has an arena of its own. */
static swp_status is_safe(swp_context *ctx, const swp_schedule *schedule, bool *safe)
{
    swp_context scratch = *ctx;
    swp_verdict verdict = {0};
    scratch.arena = swp_arena_new(&ctx->arena->allocator);
    if (!scratch.arena)
        return swp_out_of_memory(ctx);
    const swp_status status = swp_verify(&scratch, schedule, NULL, 0, &verdict);
    swp_arena_free(scratch.arena);
    *safe = verdict.safe;
    return status;
}

static void renumber(swp_entry_list *phase)
{
    for (size_t i = 0; i < phase->count; i++)
        phase->items[i].time_slot = (int)i;
}

static void remove_entry(swp_entry_list *phase, size_t index)
{
    memmove(phase->items + index, phase->items + index + 1,
            (phase->count - index - 1) * sizeof *phase->items);
    phase->count--;
}

static void insert_entry(swp_entry_list *phase, size_t index, swp_entry entry)
{
    memmove(phase->items + index + 1, phase->items + index,
            (phase->count - index) * sizeof *phase->items);
    phase->items[index] = entry;
    phase->count++;
}

static bool is_wait(const swp_op *op)
{
    return op->tag == SWP_TAG_WAIT_VM || op->tag == SWP_TAG_WAIT_LGKM;
}

/* Removes the entry if the proof stays; says whether it did. */
static swp_status try_remove(swp_context *ctx, swp_schedule *schedule, swp_entry_list *phase,
                             size_t index, bool *removed)
{
    const swp_entry entry = phase->items[index];
    remove_entry(phase, index);
    SWP_TRY(is_safe(ctx, schedule, removed));
    if (!*removed)
        insert_entry(phase, index, entry);
    return SWP_OK;
}

/* The largest count that keeps the proof, by bisection: a weaker wait is never safer. */
static swp_status raise_wait(swp_context *ctx, swp_schedule *schedule, swp_op *wait,
                             swp_budget *budget)
{
    const swp_machine *machine = &schedule->machine;
    int safe_count = wait->wait_value;
    int unsafe_count = (wait->tag == SWP_TAG_WAIT_VM ? machine->vm_max : machine->lgkm_max) + 1;
    while (unsafe_count - safe_count > 1 && swp_budget_poll(budget)) {
        bool safe = false;
        wait->wait_value = safe_count + (unsafe_count - safe_count) / 2;
        SWP_TRY(is_safe(ctx, schedule, &safe));
        if (safe)
            safe_count = wait->wait_value;
        else
            unsafe_count = wait->wait_value;
    }
    wait->wait_value = safe_count;
    return SWP_OK;
}

typedef enum sync_kind { ANY_BARRIER, ANY_WAIT } sync_kind;

static bool is_of(const swp_op *op, sync_kind kind)
{
    return kind == ANY_WAIT ? is_wait(op) : op->tag == SWP_TAG_BARRIER;
}

/* Earlier entries go first, so that what is left stands as late as possible. */
static swp_status thin_out(swp_context *ctx, swp_schedule *schedule, swp_entry_list *phase,
                           sync_kind kind, swp_budget *budget)
{
    for (size_t i = 0; i < phase->count;) {
        bool removed = false;
        if (is_of(&phase->items[i].op, kind) && swp_budget_poll(budget))
            SWP_TRY(try_remove(ctx, schedule, phase, i, &removed));
        i += !removed;
    }
    return SWP_OK;
}

static swp_status raise_waits(swp_context *ctx, swp_schedule *schedule, swp_entry_list *phase,
                              swp_budget *budget)
{
    for (size_t i = 0; i < phase->count; i++)
        if (is_wait(&phase->items[i].op))
            SWP_TRY(raise_wait(ctx, schedule, &phase->items[i].op, budget));
    return SWP_OK;
}

static swp_status relax_waits(swp_context *ctx, swp_schedule *schedule, swp_entry_list *phase,
                              swp_budget *budget)
{
    SWP_TRY(thin_out(ctx, schedule, phase, ANY_WAIT, budget));
    SWP_TRY(raise_waits(ctx, schedule, phase, budget));
    renumber(phase);
    return SWP_OK;
}

swp_status swp_relax_kernel(swp_context *ctx, swp_schedule *schedule, swp_budget *budget)
{
    return relax_waits(ctx, schedule, &schedule->kernel, budget);
}

swp_status swp_relax_sync(swp_context *ctx, swp_schedule *schedule, swp_budget *budget)
{
    /* The kernel phase counts most: it is relaxed while the others are at their strongest. */
    swp_entry_list *others[] = {&schedule->epilogue, &schedule->prologue};
    SWP_TRY(swp_relax_kernel(ctx, schedule, budget));
    for (int p = 0; p < 2; p++) {
        SWP_TRY(thin_out(ctx, schedule, others[p], ANY_BARRIER, budget));
        SWP_TRY(relax_waits(ctx, schedule, others[p], budget));
    }
    return SWP_OK;
}
