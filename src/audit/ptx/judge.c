/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges kernels in PTX: each is run with arguments of many values, of those that decide its flow; what goes wrong in a run is a
 * fault. Runs say nothing of longer ones: induction.c does, where one argument decides the flow that is not stated.
 */
#include "audit/ptx/judge.h"

#include "audit/code/insn.h"
#include "audit/ptx/exploration.h"
#include "audit/ptx/launch.h"
#include "base/diag.h"
#include "base/random.h"
#include "base/text.h"

enum {
    MOST_REGISTERS = 1 << 17,
    MOST_NEEDED = 10,           /* arguments that decide the flow */
    MOST_UNIT = 2048,           /* elements of a pass that are looked for */
    BASES = 2,                  /* values of the others, from 1 */
    SOME_PASSES = 8,            /* values of one of several arguments, from 0 */
    MOST_MIXED = 256,           /* runs with values of chance of all arguments */
    MOST_MIXED_STEPS = 1 << 19, /* of one of them */
    MOST_CHOICES = 4,
    MOST_NEGATIVE_STEPS = 1 << 17,
};

static bool counts_groups(const swp_ptx_argument *argument)
{
    return argument->param < 0 && argument->offset >= SWP_PTX_NCTAID;
}

/* Values to begin with: one work group, and as many of all else as the base says. */
static uint64_t base_value(const swp_ptx_argument *argument, int base)
{
    if (argument->param < 0)
        return counts_groups(argument);
    return (uint64_t)base;
}

bool swp_ptx_is_choice(const swp_ptx_argument *argument)
{
    return argument->param == SWP_PTX_TERM && argument->bits == 1;
}

bool swp_ptx_is_free(const swp_ptx_argument *argument)
{
    return argument->given && !argument->stated && !argument->groups &&
           !swp_ptx_is_choice(argument);
}

int swp_ptx_count_free(const swp_ptx_exploration *t)
{
    int free = 0;
    for (int i = 0; i < t->arguments.count; i++)
        free += swp_ptx_is_free(&t->arguments.items[i]);
    return free;
}

static int count_choices(const swp_ptx_exploration *t)
{
    int count = 0;
    for (int i = 0; i < t->arguments.count; i++)
        count += t->arguments.items[i].given && swp_ptx_is_choice(&t->arguments.items[i]);
    return count;
}

int swp_ptx_choices(const swp_ptx_exploration *t)
{
    return 1 << count_choices(t);
}

void swp_ptx_choose(swp_ptx_exploration *t, int choice)
{
    for (int i = 0; i < t->arguments.count; i++) {
        swp_ptx_argument *argument = &t->arguments.items[i];
        if (!argument->given || !swp_ptx_is_choice(argument))
            continue;
        argument->value = (uint64_t)(choice & 1);
        choice >>= 1;
    }
}

/* A term, or an argument: terms that were computed from that are others now. One number at most is told about. */
static swp_status need_term(swp_ptx_exploration *t, const swp_ptx_run *run)
{
    swp_ptx_arguments *all = &t->arguments;
    for (int i = 0; i < all->count && !run->needed_term; i++) {
        all->items[i].given &= all->items[i].param != SWP_PTX_TERM;
        all->items[i].given |= i < SWP_PTX_MOST_ARGUMENTS && run->needed >> i & 1;
    }
    int at = 0;
    while (at < all->count &&
           (all->items[at].param != SWP_PTX_TERM || all->items[at].offset != run->needed_term))
        at++;
    if (run->needed_term && at < SWP_PTX_MOST_ARGUMENTS) {
        all->items[at] = (swp_ptx_argument){.param = SWP_PTX_TERM,
                                            .offset = run->needed_term,
                                            .bits = t->terms->items[run->needed_term].bits,
                                            .given = true};
        all->count += at == all->count;
    }
    t->restarts = true;
    t->ends |= all->count == SWP_PTX_MOST_ARGUMENTS || swp_ptx_count_free(t) > 1 ||
               count_choices(t) > MOST_CHOICES;
    return SWP_OK;
}

/* Nothing may be found, or be in doubt. */
static void take_result_of_terms(swp_ptx_exploration *t, const swp_ptx_run *run)
{
    t->ends |= run->outcome == SWP_PTX_FAULT || run->outcome == SWP_PTX_INCONCLUSIVE ||
               (run->outcome == SWP_PTX_TOO_LONG && !t->most_steps) || run->undecided >= 0;
    t->runs += run->outcome == SWP_PTX_ENDED;
}

static swp_status need(swp_ptx_exploration *t, const swp_ptx_run *run)
{
    if (t->terms)
        return need_term(t, run);
    for (int i = 0; i < t->arguments.count; i++)
        t->arguments.items[i].given |= run->needed >> i & 1;
    t->restarts = true;
    if (swp_ptx_count_free(t) <= MOST_NEEDED)
        return SWP_OK;
    t->ends = true;
    return swp_ptx_add_note(t, run->finding.at,
                            "more than 10 arguments decide the flow of the kernel");
}

/* Whether a run of several work groups may say something that does not hold for each of them. */
static bool is_of_some(const swp_ptx_run *run)
{
    const bool sure = run->undecided < 0 && !run->finding.unsure;
    return !sure || (run->outcome != SWP_PTX_ENDED && run->outcome != SWP_PTX_FAULT &&
                     run->outcome != SWP_PTX_NEEDS);
}

static swp_status take_result(swp_ptx_exploration *t, const swp_ptx_run *run)
{
    t->last_steps = run->steps;
    if (run->is_dry && run->outcome != SWP_PTX_NEEDS)
        return SWP_OK;
    t->steps += run->steps;
    if (t->width > 1 && is_of_some(run)) {
        t->splits = true;
        return SWP_OK;
    }
    t->undecided = run->undecided >= 0 ? run->undecided : t->undecided;
    t->unfenced_init = run->unfenced_init >= 0 ? run->unfenced_init : t->unfenced_init;
    if (t->terms && run->outcome != SWP_PTX_NEEDS) {
        take_result_of_terms(t, run);
        return SWP_OK;
    }
    switch (run->outcome) {
    case SWP_PTX_NEEDS:
        return need(t, run);
    case SWP_PTX_FAULT:
        t->ends = true;
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

/* A run with the arguments as they are. */
void swp_ptx_set_up(swp_ptx_exploration *t, swp_context *ctx, bool takes, swp_ptx_run *run)
{
    *run = (swp_ptx_run){.ctx = ctx,
                         .is_dry = t->is_dry,
                         .most_steps = t->most_steps,
                         .counts.most[SWP_PTX_GROUPS] = t->width > 1 ? t->width - 1 : 0,
                         .outer = t->ctx,
                         .module = t->module,
                         .kernel = t->kernel,
                         .arguments = &t->arguments,
                         .sums = &t->sums,
                         .places = &t->places,
                         .sources = &t->sources,
                         .terms = t->terms,
                         .takes = takes};
}

static swp_status run_once(swp_ptx_exploration *t, bool takes)
{
    swp_context inner;
    swp_ptx_run *run = NULL;
    SWP_TRY(swp_scope_open(t->ctx, &inner));
    swp_status status = SWP_TAKE(&inner, 1, &run);
    if (status == SWP_OK) {
        swp_ptx_set_up(t, &inner, takes, run);
        status = swp_ptx_run_follow(run);
    }
    if (status == SWP_OK)
        status = take_result(t, run);
    swp_scope_close(&inner);
    return status;
}

/* With all that is open. */
static swp_status run_choices(swp_ptx_exploration *t)
{
    for (int choice = 0; choice < swp_ptx_choices(t) && !t->ends && !t->restarts; choice++) {
        swp_ptx_choose(t, choice);
        SWP_TRY(run_once(t, false));
    }
    return SWP_OK;
}

static swp_status run_both(swp_ptx_exploration *t)
{
    const int before = t->undecided;
    if (t->terms)
        return run_choices(t);
    t->undecided = -1;
    SWP_TRY(run_once(t, false));
    if (t->undecided >= 0 && !t->ends && !t->restarts)
        SWP_TRY(run_once(t, true));
    t->undecided = t->undecided < 0 ? before : t->undecided;
    return SWP_OK;
}

/* How much boxes bring and stores read shows in the places of others: these are looked for before anything is judged. */
static swp_status dry_run(swp_ptx_exploration *t)
{
    t->is_dry = true;
    SWP_TRY(run_once(t, false));
    t->is_dry = false;
    return SWP_OK;
}

static swp_status dry_run_with(swp_ptx_exploration *t, swp_ptx_argument *argument, int64_t value)
{
    argument->value = (uint64_t)value;
    return dry_run(t);
}

/* How many elements a pass takes, of an argument that counts these: one more makes the run longer. */
static swp_status find_unit(swp_ptx_exploration *t, swp_ptx_argument *argument)
{
    argument->unit = 1;
    SWP_TRY(dry_run_with(t, argument, 1));
    const int64_t first = t->last_steps;
    for (int unit = 1; unit <= MOST_UNIT && !t->restarts; unit *= 2) {
        SWP_TRY(dry_run_with(t, argument, unit + 1));
        if (t->last_steps == first)
            continue;
        argument->unit = unit;
        break;
    }
    if (!t->restarts)
        SWP_TRY(dry_run_with(t, argument, (int64_t)SWP_PTX_MOST_PASSES * argument->unit));
    return SWP_OK;
}

/* How many work groups there are in a dimension; NULL: the kernel does not ask. */
static swp_ptx_argument *find_groups(swp_ptx_exploration *t, int64_t dimension)
{
    for (int i = 0; i < t->arguments.count; i++) {
        swp_ptx_argument *argument = &t->arguments.items[i];
        if (argument->given && !argument->stated && argument->param < 0 &&
            argument->offset == SWP_PTX_NCTAID + dimension)
            return argument;
    }
    return NULL;
}

/* There is a work group of this number. */
static void make_room(swp_ptx_exploration *t, const swp_ptx_argument *argument)
{
    if (argument->param >= 0 || counts_groups(argument))
        return;
    swp_ptx_argument *groups = find_groups(t, argument->offset - SWP_PTX_CTAID);
    if (groups && groups->value <= argument->value)
        groups->value = argument->value + 1;
}

static bool stops(const swp_ptx_exploration *t)
{
    return t->ends || t->restarts || t->splits;
}

static swp_status run_values(swp_ptx_exploration *t, swp_ptx_argument *argument, int unit)
{
    const bool proves = swp_ptx_count_free(t) <= 1;
    const int most = proves ? SWP_PTX_MOST_PASSES : SOME_PASSES;
    const int64_t most_steps = proves ? SWP_PTX_MOST_PROOF_STEPS : SWP_PTX_MOST_ALL_STEPS;
    for (int i = 1; i <= most; i++) {
        t->too_long |= t->steps > most_steps;
        if (stops(t) || t->too_long)
            break;
        argument->value = (uint64_t)i * (uint64_t)unit;
        make_room(t, argument);
        SWP_TRY(run_both(t));
    }
    return SWP_OK;
}

/* One argument takes many values. */
static swp_status vary(swp_ptx_exploration *t, swp_ptx_argument *argument)
{
    const uint64_t kept = argument->value;
    argument->unit = 1;
    for (int choice = 0; choice < swp_ptx_choices(t) && argument->unit == 1; choice++) {
        swp_ptx_choose(t, choice);
        if (argument->param >= 0 && !t->restarts)
            SWP_TRY(find_unit(t, argument));
    }
    SWP_TRY(run_values(t, argument, 1));
    if (argument->unit > 1)
        SWP_TRY(run_values(t, argument, argument->unit));
    argument->value = 0;
    if (!stops(t) && !counts_groups(argument))
        SWP_TRY(run_both(t));
    /* A difference may be negative, where it is not taken for a large number. */
    t->most_steps = MOST_NEGATIVE_STEPS;
    for (int back = 1; back <= 2 && argument->param == SWP_PTX_TERM; back++) {
        argument->value = 0 - (uint64_t)back * (uint64_t)argument->unit;
        if (!t->ends && !t->restarts)
            SWP_TRY(run_both(t));
    }
    t->most_steps = 0;
    argument->value = kept;
    return SWP_OK;
}

/* Few of what a number counts, some, or the elements of whole tiles and one more or less. */
static uint64_t draw(swp_ptx_exploration *t)
{
    const uint64_t kind = swp_random_below(&t->random, 4);
    if (kind > 1)
        return 1 + swp_random_below(&t->random, 3);
    if (kind)
        return 1 + swp_random_below(&t->random, 12);
    const uint64_t tile = UINT64_C(64) << swp_random_below(&t->random, 2);
    return tile * (1 + swp_random_below(&t->random, 8)) + swp_random_below(&t->random, 3) - 1;
}

/* How many work groups there are in a dimension, where the kernel asks; else some. */
static uint64_t groups_of(swp_ptx_exploration *t, int64_t dimension)
{
    const swp_ptx_argument *groups = find_groups(t, dimension);
    return groups ? groups->value : SOME_PASSES;
}

static void draw_all(swp_ptx_exploration *t)
{
    for (int i = 0; i < t->arguments.count; i++) {
        swp_ptx_argument *argument = &t->arguments.items[i];
        if (argument->stated)
            continue;
        if (argument->param >= 0)
            argument->value = draw(t);
        else if (counts_groups(argument))
            argument->value = 1 + swp_random_below(&t->random, 4);
    }
    for (int i = 0; i < t->arguments.count; i++) {
        swp_ptx_argument *argument = &t->arguments.items[i];
        if (argument->stated || argument->param >= 0 || counts_groups(argument))
            continue;
        argument->value = swp_random_below(
            &t->random, argument->groups ? (uint64_t)argument->groups
                                         : groups_of(t, argument->offset - SWP_PTX_CTAID));
    }
}

/* What shows only where several arguments are more than a few at a time. */
static swp_status run_mixed(swp_ptx_exploration *t)
{
    t->most_steps = MOST_MIXED_STEPS;
    for (int i = 0; i < MOST_MIXED && t->steps < SWP_PTX_MOST_ALL_STEPS; i++) {
        if (t->ends || t->restarts)
            break;
        draw_all(t);
        SWP_TRY(run_both(t));
    }
    t->most_steps = 0;
    return SWP_OK;
}

static swp_status run_base(swp_ptx_exploration *t, int base)
{
    for (int i = 0; i < t->arguments.count; i++)
        if (!t->arguments.items[i].stated)
            t->arguments.items[i].value = base_value(&t->arguments.items[i], base);
    SWP_TRY(dry_run(t));
    if (!t->restarts)
        SWP_TRY(run_both(t));
    for (int i = 0; i < t->arguments.count && !t->ends && !t->restarts; i++)
        if (swp_ptx_is_free(&t->arguments.items[i]))
            SWP_TRY(vary(t, &t->arguments.items[i]));
    return SWP_OK;
}

static swp_status run_bases(swp_ptx_exploration *t)
{
    for (int base = 1; base <= BASES && !t->ends && !t->restarts; base++)
        SWP_TRY(run_base(t, base));
    if (!t->ends && !t->restarts)
        SWP_TRY(run_mixed(t));
    return SWP_OK;
}

/* --- all work groups of a launch --- */

/* The one argument that decides the flow and has not been stated; NULL: there is none. */
static swp_ptx_argument *only_free(swp_ptx_exploration *t)
{
    for (int i = 0; i < t->arguments.count; i++)
        if (swp_ptx_is_free(&t->arguments.items[i]))
            return &t->arguments.items[i];
    return NULL;
}

/* The number of the work group in a dimension, where that decides the flow and all numbers are to be judged; else NULL. */
static swp_ptx_argument *number_of_group(swp_ptx_exploration *t, int dimension)
{
    for (int i = 0; i < t->arguments.count; i++) {
        swp_ptx_argument *argument = &t->arguments.items[i];
        if (argument->given && argument->groups && argument->param < 0 &&
            argument->offset == SWP_PTX_CTAID + dimension)
            return argument;
    }
    return NULL;
}

static swp_status show_longer(swp_ptx_exploration *t, swp_ptx_argument *argument)
{
    bool repeats = false;
    int64_t most = 0;
    swp_ptx_run *form = NULL;
    SWP_TRY(SWP_TAKE(t->ctx, 1, &form));
    swp_ptx_set_up(t, t->ctx, false, form);
    SWP_TRY(swp_ptx_prove_by_induction(form, argument, SWP_PTX_MOST_PASSES + 1, &repeats, &most));
    t->splits |= !repeats && t->width > 1;
    t->unlike |= !repeats && t->width <= 1;
    t->most = repeats && (!t->most || most < t->most) ? most : t->most;
    return SWP_OK;
}

/* The work groups that the arguments say, for all values of the argument that is not stated. */
static swp_status run_groups(swp_ptx_exploration *t)
{
    swp_ptx_argument *argument = only_free(t);
    if (argument)
        argument->value = base_value(argument, 1);
    /* Where copies write is looked for once: work groups have the same places. */
    if (!t->runs)
        SWP_TRY(dry_run(t));
    if (!t->restarts)
        SWP_TRY(run_both(t));
    if (!argument || stops(t))
        return SWP_OK;
    SWP_TRY(vary(t, argument));
    if (!stops(t) && !t->too_long && !t->unlike && t->undecided < 0 && t->runs && !t->terms)
        SWP_TRY(show_longer(t, argument));
    return SWP_OK;
}

/* Runs tell of as many work groups at once as go one way: of all of them, or of halves of those, down to a single one. */
static swp_status run_range(swp_ptx_exploration *t, swp_ptx_argument *number)
{
    int first = 0;
    int width = number->groups;
    number->slope[SWP_PTX_GROUPS] = 1;
    while (first < number->groups && !t->ends && !t->restarts && !t->too_long) {
        t->too_long |= t->steps > SWP_PTX_MOST_LAUNCH_STEPS;
        number->value = (uint64_t)first;
        t->width = width;
        t->splits = false;
        SWP_TRY(run_groups(t));
        first += t->splits ? 0 : width;
        width = t->splits ? (width + 1) / 2 : number->groups - first;
    }
    t->width = 0;
    t->splits = false;
    return SWP_OK;
}

/* The next work group by the dimensions but one; false: that was the last. */
static bool step_groups(swp_ptx_exploration *t, const swp_ptx_argument *but)
{
    for (int d = 0; d < 3; d++) {
        swp_ptx_argument *number = number_of_group(t, d);
        if (!number || number == but)
            continue;
        number->value = (number->value + 1) % (uint64_t)number->groups;
        if (number->value)
            return true;
    }
    return false;
}

static swp_status run_launch(swp_ptx_exploration *t)
{
    swp_ptx_argument *range = NULL;
    for (int d = 0; d < 3; d++) {
        swp_ptx_argument *number = number_of_group(t, d);
        if (number)
            number->value = 0;
        if (number && (!range || number->groups > range->groups))
            range = number;
    }
    if (!range)
        return run_groups(t);
    do
        SWP_TRY(run_range(t, range));
    while (!t->ends && !t->restarts && !t->too_long && step_groups(t, range));
    return SWP_OK;
}

static swp_status run_all(swp_ptx_exploration *t)
{
    t->restarts = t->unlike = false;
    t->undecided = -1;
    t->most = 0;
    return swp_ptx_count_free(t) > 1 ? run_bases(t) : run_launch(t);
}

swp_status swp_ptx_try_all(swp_ptx_exploration *t)
{
    do
        SWP_TRY(run_all(t));
    while (t->restarts && !t->ends);
    return SWP_OK;
}

static bool is_concerned(const swp_ptx_exploration *t)
{
    for (int i = t->kernel->first; i < t->kernel->end; i++)
        if (t->module->insns.items[i].kind >= SWP_PTX_LOAD)
            return true;
    return false;
}

/* Nothing is sure to go wrong, and that nothing does is not to be shown by the runs of a single argument. */
static bool is_open(const swp_ptx_exploration *t, size_t findings)
{
    bool sure = false;
    for (size_t i = findings; i < t->out->findings.count; i++)
        sure |= t->out->findings.items[i].certain;
    return !sure && (t->ends || t->undecided >= 0 || swp_ptx_count_free(t) > 1);
}

static swp_status judge_kernel(swp_ptx_exploration *t)
{
    static const char hint[] = "give it a number of threads (__launch_bounds__, .maxntid)";
    const swp_place place = {t->file, t->kernel->line, 1};
    const int *size = t->kernel->threads;
    t->out->instructions += t->kernel->end - t->kernel->first;
    if (!is_concerned(t))
        return SWP_OK;
    t->concerned = true;
    if (size[0] * size[1] * size[2] > SWP_PTX_MOST_THREADS)
        return swp_error(t->ctx, SWP_E0815, place, hint, "a work group of more than 1024 threads");
    if (t->kernel->registers > MOST_REGISTERS)
        return swp_error(t->ctx, SWP_E0815, place, "unroll less",
                         "a kernel of %d registers; the audit follows %d", t->kernel->registers,
                         MOST_REGISTERS);
    if (!t->kernel->sized)
        SWP_TRY(swp_warn(t->ctx, SWP_W0813, place, hint,
                         "the file does not say how many threads %.*s has: judged with %d",
                         SWP_SLICE_FORMAT(t->kernel->name), SWP_PTX_MOST_THREADS));
    const size_t findings = t->out->findings.count;
    const size_t notes = t->out->unknown_instructions.count;
    bool shown = false;
    SWP_TRY(swp_ptx_try_all(t));
    /* What is stated is a number already. */
    if (is_open(t, findings) && !swp_ptx_is_stated(t->arguments.launch))
        SWP_TRY(swp_ptx_show_by_terms(t, &shown));
    if (shown) {
        t->out->findings.count = findings;
        t->out->unknown_instructions.count = notes;
        return SWP_OK;
    }
    return t->ends ? SWP_OK : swp_ptx_report_limits(t);
}

swp_status swp_ptx_judge(swp_context *ctx, swp_slice text, const char *file,
                         const swp_audit_launch *launch, swp_audit_report *out)
{
    swp_ptx_module module;
    bool fault = false;
    bool concerned = false;
    SWP_TRY(swp_ptx_read(ctx, text, file, &module));
    out->target = module.target;
    SWP_TRY(swp_ptx_apply_launch(ctx, file, launch, &module));
    SWP_TRY(swp_ptx_copy_launch(ctx, launch, &out->launch));
    for (size_t i = 0; i < module.kernels.count; i++) {
        swp_ptx_exploration t = {.ctx = ctx,
                                 .file = file,
                                 .module = &module,
                                 .kernel = &module.kernels.items[i],
                                 .out = out,
                                 .arguments.launch = &out->launch,
                                 .random = SWP_RANDOM_SEED,
                                 .undecided = -1,
                                 .unfenced_init = -1};
        if (!swp_ptx_is_asked_for(t.kernel, launch))
            continue;
        SWP_TRY(judge_kernel(&t));
        concerned |= t.concerned;
    }
    if (!concerned)
        return swp_error(ctx, SWP_E0814, (swp_place){file, 0, 0},
                         "give the kernel whose copies and barriers are to be judged",
                         "no kernel of this file accesses memory or orders threads");
    for (size_t i = 0; i < out->findings.count; i++)
        fault |= out->findings.items[i].certain;
    if (fault)
        out->answer = SWP_AUDIT_FAULT;
    else if (out->findings.count || out->unknown_instructions.count)
        out->answer = SWP_AUDIT_UNKNOWN;
    else
        out->answer = SWP_AUDIT_NO_FAULT;
    return SWP_OK;
}
