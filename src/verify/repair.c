/* SPDX-License-Identifier: Apache-2.0 */
/* Hints that the proof has tried: edits after which a hazard is gone and none has come. */
#include "base/text.h"
#include "verify/candidates.h"

/* Proofs tried, so that a schedule that is wrong all over has its report all the same. */
enum { MOST_TRIALS = 6000, MOST_TRIALS_EACH = 700 };

typedef struct repairer {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_verdict *verdict;
    int trials; /* left */
} repairer;

/* The entry of the unedited schedule; -1 for one that was inserted. */
static int old_entry(const repairer *r, const swp_edited *edited, swp_entry_ref at)
{
    const size_t length = swp_schedule_phase(&edited->schedule, at.phase)->count;
    return (size_t)at.entry < length ? edited->origins[at.phase][at.entry]
                                     : (int)swp_schedule_phase(r->schedule, at.phase)->count;
}

static bool is_at(const swp_hazard *known, const swp_hazard *found, int entry)
{
    return known->kind == found->kind && known->at.phase == found->at.phase &&
           known->at.entry == entry;
}

static bool knows(const repairer *r, const swp_hazard *found, int entry)
{
    for (size_t i = 0; i < r->verdict->hazards.count; i++)
        if (is_at(&r->verdict->hazards.items[i], found, entry))
            return true;
    return false;
}

/* Whether the edit leaves fewer hazards, all known, and not this one. */
static swp_status try_in(repairer *r, swp_context *scratch, const swp_hazard *hazard,
                         const swp_edit *edit, bool *repairs)
{
    swp_edited edited;
    swp_verdict verdict = {0};
    SWP_TRY(swp_edit_apply(scratch, r->schedule, edit, &edited));
    const swp_status status = swp_verify(scratch, &edited.schedule, NULL, 0, &verdict);
    if (status == SWP_INVALID)
        return SWP_OK;
    SWP_TRY(status);
    for (size_t i = 0; i < verdict.hazards.count; i++) {
        const swp_hazard *found = &verdict.hazards.items[i];
        const int entry = old_entry(r, &edited, found->at);
        if (is_at(hazard, found, entry) || !knows(r, found, entry))
            return SWP_OK;
    }
    *repairs = true;
    return SWP_OK;
}

static swp_status try_edit(repairer *r, const swp_hazard *hazard, const swp_edit *edit,
                           bool *repairs)
{
    *repairs = false;
    r->trials--;
    swp_context *scratch = swp_context_new(&r->ctx->arena->allocator);
    if (!scratch)
        return swp_out_of_memory(r->ctx);
    const swp_status status = try_in(r, scratch, hazard, edit, repairs);
    swp_context_free(scratch);
    return status == SWP_OUT_OF_MEMORY ? swp_out_of_memory(r->ctx) : status;
}

/* The op whose count may stay as large as the repair permits; NULL if there is none. */
static swp_op *counted(swp_edit *edit)
{
    const int tag = edit->op_count > 0 ? edit->ops[0].tag : SWP_TAG_NONE;
    return tag == SWP_TAG_WAIT_VM || tag == SWP_TAG_WAIT_LGKM ? &edit->ops[0] : NULL;
}

/* A wait that retires more than it has to costs time. */
static swp_status relax(repairer *r, const swp_hazard *hazard, swp_edit *edit)
{
    swp_op *op = counted(edit);
    const swp_machine *machine = &r->schedule->machine;
    if (!op)
        return SWP_OK;
    int least = 0; /* repairs */
    int most = op->tag == SWP_TAG_WAIT_VM ? machine->vm_max : machine->lgkm_max;
    while (most - least > 1) {
        bool repairs = false;
        op->wait_value = least + (most - least) / 2;
        SWP_TRY(try_edit(r, hazard, edit, &repairs));
        *(repairs ? &least : &most) = op->wait_value;
    }
    op->wait_value = least;
    return SWP_OK;
}

static swp_status repair(repairer *r, swp_hazard *hazard)
{
    swp_edit_list edits = {0};
    SWP_TRY(swp_candidates_find(r->ctx, r->schedule, hazard, &edits));
    const int end = r->trials - MOST_TRIALS_EACH;
    for (size_t i = 0; i < edits.count && r->trials > 0 && r->trials > end; i++) {
        bool repairs = false;
        SWP_TRY(try_edit(r, hazard, &edits.items[i], &repairs));
        if (!repairs)
            continue;
        char *text = NULL;
        SWP_TRY(relax(r, hazard, &edits.items[i]));
        SWP_TRY(swp_edit_text(r->ctx, r->schedule, &edits.items[i], &text));
        hazard->hint = text;
        return SWP_OK;
    }
    char *text = NULL;
    SWP_TRY(swp_format(r->ctx, &text, "no single edit was found that removes it alone: %s",
                       hazard->hint));
    hazard->hint = text;
    return SWP_OK;
}

swp_status swp_verify_repairs(swp_context *ctx, const swp_schedule *schedule, swp_verdict *verdict)
{
    repairer r = {ctx, schedule, verdict, MOST_TRIALS};
    for (size_t i = 0; i < verdict->hazards.count; i++)
        if (r.trials > 0)
            SWP_TRY(repair(&r, &verdict->hazards.items[i]));
    return SWP_OK;
}
