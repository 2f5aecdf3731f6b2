/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of a stopped derivation, as short as one walk along each can make them. */
#include "sync/shorten.h"

#include "swp/verify.h"
#include "sync/conflicts.h"
#include "sync/phases.h"
#include "sync/relax.h"

/* The list of a form, whose data operations stay as they are; `list` is where the schedule has it. */
static swp_status shorten(swp_context *ctx, const swp_schedule *form, swp_phase phase,
                          swp_entry_list *list)
{
    bool *where = NULL;
    swp_entry_list out = {0};
    SWP_TRY(swp_sync_find_conflicts(ctx, form, phase, &where));
    SWP_TRY(swp_sync_write_given(ctx, &form->machine, swp_schedule_phase(form, phase), where, phase,
                                 &out));
    if (out.count < list->count)
        *list = out;
    return SWP_OK;
}

static swp_entry_list *list_of(swp_schedule *schedule, int number)
{
    return number == 0 ? &schedule->streams[0].prologue
                       : swp_sync_end_of_form(schedule, (size_t)number - 1);
}

static swp_status shorten_all(swp_context *ctx, swp_schedule *schedule)
{
    swp_schedule form = swp_schedule_form(schedule, 0);
    SWP_TRY(shorten(ctx, &form, SWP_PROLOGUE, list_of(schedule, 0)));
    for (int i = 0; i < swp_schedule_forms(schedule); i++) {
        form = swp_schedule_form(schedule, i);
        SWP_TRY(shorten(ctx, &form, SWP_EPILOGUE, list_of(schedule, i + 1)));
    }
    return SWP_OK;
}

swp_status swp_sync_shorten_ends(swp_context *ctx, swp_schedule *schedule)
{
    const int count = swp_schedule_forms(schedule) + 1;
    swp_entry_list *before = NULL;
    swp_verdict verdict = {0};
    /* Where a counter wraps, an access may have to wait for others that it is in no conflict with. */
    if (!schedule->dataflow || schedule->machine.counter_full == SWP_COUNTER_WRAPS)
        return SWP_OK;
    SWP_TRY(SWP_TAKE(ctx, (size_t)count, &before));
    for (int i = 0; i < count; i++)
        before[i] = *list_of(schedule, i);
    SWP_TRY(shorten_all(ctx, schedule));
    SWP_TRY(swp_verify(ctx, schedule, NULL, 0, &verdict));
    for (int i = 0; i < count && !verdict.safe; i++)
        *list_of(schedule, i) = before[i];
    return SWP_OK;
}
