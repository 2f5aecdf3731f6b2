/* SPDX-License-Identifier: Apache-2.0 */
/* Hints that the proof has tried: edits after which a hazard is gone and none has come. */
#include "base/budget.h"
#include "base/diag.h"
#include "base/require.h"
#include "base/text.h"
#include "ir/entry.h"
#include "ir/sync_objects.h"
#include "verify/candidates.h"
#include "verify/trial.h"

/*
 * Proofs tried, and what they may look at, in all and for one hazard: so a schedule that is large, or
 * wrong all over, has its report all the same. A proof takes longer than its entries, so that without
 * this the hints would take the square of the schedule and more. A step of a thread takes longer than
 * an entry of a body, and longest without warp roles, where all hazards of a run are told: each limit comes to about a second.
 */
enum { MOST_TRIALS = 6000, MOST_WORK = 100000000, HAZARDS = 8, MOST_LOOP_WORK = 1000000 };
enum { MOST_ROLE_TRIALS = 16000, MOST_ROLE_WORK = 9000000, ROLE_HAZARDS = 2 };

enum { MOST_GROUPS = 16 }; /* that a wait is tried with */

/* Hazards of which a cure of all is looked for, and edits of hazards that are tried on later ones. */
enum { CURED = 2, SHARED = 8 };

/* Without warp roles an edit that removes one hazard often removes all, so that less is spent on looking for those. */
enum { LESS_FOR_CURES = 16 };

/* The best edit for a hazard, and what it comes to. */
typedef struct finding {
    swp_edit best;
    swp_trial_outcome what;
    size_t left; /* hazards, then */
    size_t tried;
    bool all; /* that there are */
} finding;

typedef struct repairer {
    swp_context *ctx;
    swp_trials trials;
    uint64_t most_each;     /* work for one hazard */
    finding cure;           /* an edit that leaves no hazard at all, once one is found */
    int looked;             /* for one, so many times */
    finding shared[SHARED]; /* edits that remove a hazard */
    int shared_count;
} repairer;

/* How many groups or accesses a wait may leave at most; 0: the op is no such wait. */
static int most_left(const repairer *r, const swp_op *op)
{
    if (swp_ir_is_wait(op))
        return swp_ir_most_in_flight(&r->trials.schedule->machine, swp_ir_wait_kind(op));
    return swp_ir_is_group_wait(op) ? MOST_GROUPS : 0;
}

/* A wait that retires more than it has to costs time. What it removes besides the hazard stays removed. */
static swp_status relax(repairer *r, const swp_hazard *hazard, swp_edit *edit,
                        swp_trial_outcome wanted, size_t left)
{
    swp_op *op = &edit->ops[0];
    int least = op->wait_value; /* does it */
    int most = edit->op_count > 0 ? most_left(r, op) : 0;
    if (least > 0)
        return SWP_OK;
    while (most - least > 1) {
        swp_trial_outcome what = SWP_STAYS;
        op->wait_value = least + (most - least) / 2;
        SWP_TRY(swp_verify_try(&r->trials, hazard, edit, wanted - 1, &what));
        *(what >= wanted && r->trials.left <= left ? &least : &most) = op->wait_value;
    }
    op->wait_value = least;
    return SWP_OK;
}

/* The first edit that comes to what is wanted, else the first that comes to more than the finding does. */
static swp_status choose(repairer *r, const swp_hazard *hazard, const swp_edit_list *edits,
                         swp_trial_outcome wanted, finding *f)
{
    const uint64_t end = r->trials.work + r->most_each;
    for (; f->tried < edits->count && swp_verify_may_try(&r->trials) && r->trials.work < end;
         f->tried++) {
        const swp_edit *edit = &edits->items[f->tried];
        swp_trial_outcome found = SWP_STAYS;
        SWP_TRY(swp_verify_try(&r->trials, hazard, edit, f->what, &found));
        if (found <= f->what)
            continue;
        f->best = *edit;
        f->what = found;
        f->left = r->trials.left;
        if (found >= wanted)
            break;
    }
    f->all = f->tried == edits->count && !swp_edits_full(edits);
    return f->what < wanted && f->what != SWP_UNCOVERS
               ? SWP_OK
               : relax(r, hazard, &f->best, f->what, f->left);
}

/* What was found, in words. */
static swp_status tell(const repairer *r, swp_hazard *hazard, const finding *f)
{
    char *edit = NULL;
    char *hint = NULL;
    if (f->what != SWP_STAYS)
        SWP_TRY(swp_verify_edit_text(r->ctx, r->trials.schedule, &f->best, &edit));
    if (f->what == SWP_STAYS && f->all)
        SWP_TRY(swp_format(r->ctx, &hint, "no single edit was found that removes it: %s",
                           hazard->hint));
    else if (f->what == SWP_STAYS)
        SWP_TRY(swp_format(r->ctx, &hint, "none of the %zu likeliest edits removes it: %s",
                           f->tried, hazard->hint));
    else if (f->what == SWP_UNCOVERS)
        SWP_TRY(swp_format(r->ctx, &hint,
                           "%s; then verify again, as another hazard hides behind it", edit));
    hazard->hint = hint ? hint : edit;
    return SWP_OK;
}

/* The verdict itself is whole. */
static swp_status warn_of_stop(swp_context *ctx, size_t reported, size_t tried, size_t count)
{
    ctx->diags->count = reported;
    swp_give_grace(ctx);
    return swp_warn(
        ctx, SWP_W0401, SWP_NOWHERE, "allow more time",
        "the search for repairs was stopped at hazard %zu of %zu: the hints from there on "
        "are not tried",
        tried, count);
}

/* An edit that leaves no hazard at all. What only moves hazards about is told apart so. */
static swp_status look_for_cure(repairer *r, const swp_hazard *hazard, const swp_edit_list *edits,
                                size_t *tried)
{
    finding f = {.what = SWP_REPAIRS};
    const int most = r->trials.most;
    const uint64_t most_each = r->most_each;
    r->trials.most -= most / 4; /* some are left for what cures only this hazard */
    if (!r->trials.ends_at_first)
        r->most_each /= LESS_FOR_CURES;
    const swp_status status = choose(r, hazard, edits, SWP_CURES, &f);
    r->trials.most = most;
    r->most_each = most_each;
    if (f.what == SWP_CURES)
        r->cure = f;
    *tried = f.tried;
    return status;
}

/* What was found for another hazard comes first, so that hints agree. */
static swp_status try_shared(repairer *r, const swp_hazard *hazard, finding *f)
{
    for (int i = 0; i < r->shared_count && f->what < SWP_REPAIRS; i++) {
        swp_trial_outcome found = SWP_STAYS;
        SWP_TRY(swp_verify_try(&r->trials, hazard, &r->shared[i].best, SWP_UNCOVERS, &found));
        if (found >= SWP_REPAIRS)
            *f = r->shared[i];
    }
    return SWP_OK;
}

static void share(repairer *r, const finding *f)
{
    if (f->what == SWP_CURES)
        r->cure = *f;
    else if (f->what == SWP_REPAIRS && r->shared_count < SHARED)
        r->shared[r->shared_count++] = *f;
}

static bool looks_for_cure(const repairer *r)
{
    return r->trials.ends_at_first || r->looked < CURED;
}

static swp_status search(repairer *r, swp_context *listing, const swp_hazard *hazard, finding *f)
{
    swp_edit_list edits = {0};
    size_t tried = 0;
    if (r->cure.what != SWP_CURES) {
        SWP_TRY(try_shared(r, hazard, f));
        if (f->what >= SWP_REPAIRS)
            return SWP_OK;
        SWP_TRY(swp_verify_candidates_find(listing, &r->trials, hazard, &edits));
        if (looks_for_cure(r))
            SWP_TRY(look_for_cure(r, hazard, &edits, &tried));
        r->looked++;
    }
    if (r->cure.what == SWP_CURES)
        *f = r->cure;
    else
        SWP_TRY(choose(r, hazard, &edits, SWP_REPAIRS, f));
    f->tried = f->tried > tried ? f->tried : tried;
    share(r, f);
    return SWP_OK;
}

static swp_status repair(repairer *r, const swp_hazard *hazard, finding *f)
{
    swp_context listing;
    SWP_TRY(swp_scope_open(r->ctx, &listing));
    const swp_status status = search(r, &listing, hazard, f);
    swp_scope_close(&listing);
    return status;
}

/* An edit that was found later may be one for this hazard, too, or for all. What is accepted may stay behind that one. */
static swp_status agree(repairer *r, const swp_hazard *hazard, finding *f)
{
    const size_t tried = f->tried;
    if (r->cure.what == SWP_CURES && !hazard->accepted)
        *f = r->cure;
    else if (f->what == SWP_STAYS && swp_verify_may_try(&r->trials))
        SWP_TRY(try_shared(r, hazard, f));
    if (f->what == SWP_STAYS)
        f->tried = tried;
    return SWP_OK;
}

static swp_status repair_all(repairer *r, swp_hazard_list *hazards, size_t *done)
{
    finding *found = NULL;
    swp_status status = SWP_TAKE(r->ctx, hazards->count + 1, &found);
    for (; *done < hazards->count && swp_verify_may_try(&r->trials) && status == SWP_OK; *done += 1)
        status = repair(r, &hazards->items[*done], &found[*done]);
    for (size_t i = 0; i < *done && status == SWP_OK; i++)
        status = agree(r, &hazards->items[i], &found[i]);
    const size_t whole = status == SWP_OK ? *done : *done - (*done > 0);
    for (size_t i = 0; i < whole && (status == SWP_OK || status == SWP_STOPPED); i++) {
        const swp_status told = tell(r, &hazards->items[i], &found[i]);
        status = told == SWP_OK ? status : told;
    }
    return status;
}

static swp_status warn_of_rest(swp_context *ctx, size_t rest, size_t count)
{
    if (rest == 0)
        return SWP_OK;
    return swp_warn(ctx, SWP_W0704, SWP_NOWHERE, "mend what the other hints say, then verify again",
                    "no edit was looked for that removes the last %zu of %zu hazards: each that is "
                    "tried takes a proof of its own",
                    rest, count);
}

static void limit(repairer *r)
{
    const bool of_run = r->trials.ends_at_first;
    r->trials.most = of_run ? MOST_ROLE_TRIALS : MOST_TRIALS;
    r->trials.most_work = MOST_WORK;
    if (r->trials.schedule->dataflow)
        r->trials.most_work =
            (of_run ? MOST_ROLE_WORK : MOST_LOOP_WORK) + 2 * r->trials.verdict->work;
    r->most_each = r->trials.most_work / (of_run ? ROLE_HAZARDS : HAZARDS);
}

swp_status swp_verify_repairs(swp_context *ctx, const swp_schedule *schedule, swp_verdict *verdict)
{
    SWP_REQUIRE(ctx, ctx && schedule && verdict);
    repairer r = {.ctx = ctx};
    const size_t reported = ctx->diags->count;
    swp_status status = swp_verify_trials_begin(ctx, schedule, verdict, &r.trials);
    size_t i = 0;
    limit(&r);
    if (status == SWP_OK)
        status = repair_all(&r, &verdict->hazards, &i);
    if (status == SWP_STOPPED)
        return warn_of_stop(ctx, reported, i, verdict->hazards.count);
    SWP_TRY(status);
    return warn_of_rest(ctx, verdict->hazards.count - i, verdict->hazards.count);
}
