/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explores a kernel by runs: each takes the arguments as they are, and what it shows is added to what those before have shown. An
 * argument that turns out to decide the flow begins it anew.
 */
#include "audit/ptx/exploration.h"

enum { MOST_NEEDED = 10 /* arguments that decide the flow */ };

bool swp_ptx_is_free(const swp_ptx_argument *argument)
{
    return argument->given && !argument->stated && !argument->is_bytes && !argument->groups &&
           !swp_ptx_is_choice(argument);
}

int swp_ptx_count_free(const swp_ptx_exploration *t)
{
    int free = 0;
    for (int i = 0; i < t->arguments.count; i++)
        free += swp_ptx_is_free(&t->arguments.items[i]);
    return free;
}

bool swp_ptx_stops(const swp_ptx_exploration *t)
{
    return t->ends || t->restarts || t->splits;
}

static swp_status need(swp_ptx_exploration *t, const swp_ptx_run *run)
{
    if (t->terms)
        return swp_ptx_need_term(t, run);
    for (int i = 0; i < t->arguments.count; i++)
        t->arguments.items[i].given |= run->needed >> i & 1;
    t->restarts = true;
    if (swp_ptx_count_free(t) > MOST_NEEDED && t->too_many < 0)
        t->too_many = run->finding.at;
    return SWP_OK;
}

/* Runs that judge nothing ask for the others; then all of them are named. */
static swp_status name_needed(swp_ptx_exploration *t)
{
    swp_text text = {.ctx = t->ctx};
    char *why = NULL;
    for (int i = 0; i < t->arguments.count; i++)
        if (!t->arguments.items[i].stated)
            t->arguments.items[i].value = swp_ptx_base_value(&t->arguments.items[i], 1);
    SWP_TRY(swp_ptx_dry_run(t));
    if (t->restarts)
        return SWP_OK;
    t->ends = true;
    swp_text_format(&text, "more than 10 arguments decide the flow of the kernel; state all of "
                           "these, or all but one:");
    swp_ptx_add_options(t, &text);
    SWP_TRY(swp_text_end(&text, &why, NULL));
    return swp_ptx_add_note(t, t->too_many, why);
}

/* Whether a run of several work groups may say something that does not hold for each of them. */
static bool is_of_some(const swp_ptx_run *run)
{
    bool sure = run->undecided < 0 && !run->finding.unsure;
    for (size_t i = 0; i < run->found.count; i++)
        sure &= !run->found.items[i].unsure;
    return !sure || (run->outcome != SWP_PTX_ENDED && run->outcome != SWP_PTX_FAULT &&
                     run->outcome != SWP_PTX_NEEDS);
}

/* What else there is shows soon, or in kernels that run long. */
static swp_status take_findings(swp_ptx_exploration *t, const swp_ptx_run *run)
{
    for (size_t i = 0; i < run->found.count; i++) {
        swp_ptx_finding found = run->found.items[i];
        found.settled |= swp_ptx_part_of_pass(t) != NULL;
        SWP_TRY(swp_ptx_add_finding(
            t, &found, !found.unsure && !swp_ptx_part_of_pass(t) && !swp_ptx_has_zero(t)));
    }
    t->ends |= t->faulty && t->steps - t->found_at > SWP_PTX_MOST_STEPS_BEHIND;
    return SWP_OK;
}

static swp_status take_doubt(swp_ptx_exploration *t, const swp_ptx_finding *doubt)
{
    t->doubted = *doubt;
    return swp_ptx_describe_finding(t, doubt, false, &t->doubt);
}

static swp_status take_result(swp_ptx_exploration *t, const swp_ptx_run *run)
{
    t->last_steps = run->steps;
    t->lacks_cluster |= run->lacks_cluster;
    if (t->is_elsewhere) {
        t->contradiction = run->contradiction;
        return SWP_OK;
    }
    if (run->is_dry && run->outcome != SWP_PTX_NEEDS)
        return SWP_OK;
    t->steps += run->steps / run->cluster;
    /* Runs before this one took the boxes of some map to be others. */
    t->restarts |= t->equations.changed;
    if (t->width > 1 && is_of_some(run)) {
        t->splits = true;
        return SWP_OK;
    }
    t->lacks_zero |=
        swp_ptx_has_zero(t) && (run->outcome != SWP_PTX_ENDED || run->unwritten.detail);
    t->undecided = run->undecided >= 0 ? run->undecided : t->undecided;
    for (int rule = 0; rule < SWP_AUDIT_RULE_COUNT; rule++)
        t->assumed[rule] = t->assumed[rule] < 0 ? run->assumed[rule] : t->assumed[rule];
    if (run->unwritten.detail && run->outcome == SWP_PTX_ENDED && !swp_ptx_has_zero(t))
        t->unwritten = run->unwritten;
    if (run->doubt.detail && run->outcome == SWP_PTX_ENDED && !t->doubt.detail)
        SWP_TRY(take_doubt(t, &run->doubt));
    if (t->terms && run->outcome != SWP_PTX_NEEDS) {
        swp_ptx_take_result_of_terms(t, run);
        return SWP_OK;
    }
    SWP_TRY(take_findings(t, run));
    switch (run->outcome) {
    case SWP_PTX_NEEDS:
        return need(t, run);
    case SWP_PTX_FAULT:
        if (run->goes_on)
            return SWP_OK;
        t->ends = !swp_ptx_has_zero(t) && !swp_ptx_part_of_pass(t);
        return swp_ptx_add_finding(
            t, &run->finding, run->undecided < 0 && !run->finding.unsure && !swp_ptx_has_zero(t));
    case SWP_PTX_INCONCLUSIVE:
        t->ends = !swp_ptx_has_zero(t);
        return t->ends ? swp_ptx_add_note(t, run->finding.at, run->finding.detail) : SWP_OK;
    case SWP_PTX_TOO_LONG:
        t->too_long |= !swp_ptx_has_zero(t) && !t->most_steps;
        return SWP_OK;
    default:
        t->runs += run->outcome == SWP_PTX_ENDED;
        return SWP_OK;
    }
}

void swp_ptx_set_up(swp_ptx_exploration *t, swp_context *ctx, bool takes, swp_ptx_run *run)
{
    t->equations.run++;
    *run = (swp_ptx_run){.ctx = ctx,
                         .is_dry = t->is_dry,
                         .elsewhere = t->is_elsewhere,
                         .changed_rules = t->changed_rules,
                         .most_steps = t->most_steps,
                         .counts.most[SWP_PTX_GROUPS] = t->width > 1 ? t->width - 1 : 0,
                         .outer = t->ctx,
                         .module = t->module,
                         .kernel = t->kernel,
                         .arguments = &t->arguments,
                         .equations = &t->equations,
                         .places = &t->places,
                         .sources = &t->sources,
                         .byte_copies = t->is_dry && !t->is_elsewhere ? &t->byte_copies : NULL,
                         .terms = t->terms,
                         .takes = takes};
}

swp_status swp_ptx_run_once(swp_ptx_exploration *t, bool takes)
{
    swp_context inner;
    swp_ptx_run *run = NULL;
    if (!t->is_dry)
        SWP_TRY(swp_ptx_give_bytes(t));
    SWP_TRY(swp_scope_open(t->ctx, &inner));
    swp_status status = SWP_TAKE(&inner, 1, &run);
    if (status == SWP_OK) {
        swp_ptx_set_up(t, &inner, takes, run);
        run->goes_on = !t->first && !t->terms && !t->is_elsewhere && !t->is_dry;
        status = swp_ptx_run_follow(run);
    }
    if (status == SWP_OK)
        status = take_result(t, run);
    swp_scope_close(&inner);
    return status;
}

swp_status swp_ptx_run_both(swp_ptx_exploration *t)
{
    const int before = t->undecided;
    if (t->terms)
        return swp_ptx_run_choices(t);
    t->undecided = -1;
    SWP_TRY(swp_ptx_run_once(t, false));
    if (t->undecided >= 0 && !t->ends && !t->restarts)
        SWP_TRY(swp_ptx_run_once(t, true));
    t->undecided = t->undecided < 0 ? before : t->undecided;
    return SWP_OK;
}

swp_status swp_ptx_dry_run(swp_ptx_exploration *t)
{
    t->is_dry = true;
    SWP_TRY(swp_ptx_run_once(t, false));
    t->is_dry = false;
    return SWP_OK;
}

static swp_status run_all(swp_ptx_exploration *t)
{
    t->restarts = t->unlike = t->lacks_zero = false;
    t->undecided = -1;
    t->unwritten = (swp_ptx_finding){0};
    t->doubt = (swp_audit_finding){0};
    t->most = 0;
    if (t->too_many >= 0)
        return name_needed(t);
    return swp_ptx_count_free(t) > 1 ? swp_ptx_run_bases(t) : swp_ptx_run_launch(t);
}

swp_status swp_ptx_try_all(swp_ptx_exploration *t)
{
    do {
        const size_t sources = t->sources.count;
        t->equations.changed = t->equations.settled = false;
        SWP_TRY(run_all(t));
        /* How far a tensor store reads was guessed without a store that came later. */
        t->restarts |= t->sources.count > sources && t->doubt.detail;
        /* What was a guess may be certain now. */
        t->restarts |= t->equations.changed || (t->equations.settled && t->doubt.detail);
    } while (t->restarts && !t->ends);
    return SWP_OK;
}
