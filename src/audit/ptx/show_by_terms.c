/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels whose flow several arguments decide, or memory: what branches are compared with is given values of its own, as if it
 * were an argument. That covers all that arguments and memory can make of it, and more; so it shows that nothing goes wrong,
 * and never that something does.
 */
#include "audit/ptx/box_sizes.h"
#include "audit/ptx/exploration.h"

#include "base/text.h"

enum { MOST_CHOICES = 4 };

/* --- runs --- */

bool swp_ptx_is_choice(const swp_ptx_argument *argument)
{
    return argument->param == SWP_PTX_TERM && argument->bits == 1;
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

swp_status swp_ptx_need_term(swp_ptx_exploration *t, const swp_ptx_run *run)
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
void swp_ptx_take_result_of_terms(swp_ptx_exploration *t, const swp_ptx_run *run)
{
    t->ends |= run->outcome == SWP_PTX_FAULT || run->outcome == SWP_PTX_INCONCLUSIVE ||
               (run->outcome == SWP_PTX_TOO_LONG && !t->most_steps) || run->undecided >= 0 ||
               run->unwritten.high || run->doubt.detail;
    t->runs += run->outcome == SWP_PTX_ENDED;
}

swp_status swp_ptx_run_choices(swp_ptx_exploration *t)
{
    for (int choice = 0; choice < swp_ptx_choices(t) && !t->ends && !t->restarts; choice++) {
        swp_ptx_choose(t, choice);
        SWP_TRY(swp_ptx_run_once(t, false));
    }
    return SWP_OK;
}

/* --- proofs --- */

static bool is_number(const swp_ptx_argument *argument)
{
    return argument->given && !argument->is_bytes && !argument->stated &&
           !swp_ptx_is_choice(argument);
}

static swp_ptx_argument *find_number(swp_ptx_exploration *t)
{
    for (int i = 0; i < t->arguments.count; i++)
        if (is_number(&t->arguments.items[i]))
            return &t->arguments.items[i];
    return NULL;
}

static swp_status repeat_all(swp_ptx_exploration *t, bool *shown, int64_t *most)
{
    swp_ptx_argument *number = find_number(t);
    *most = t->shown ? t->shown_most : INT64_MAX;
    return number && !t->shown
               ? swp_ptx_show_longer(t, number, SWP_PTX_MOST_PASSES + 1, false, shown, most)
               : SWP_OK;
}

static swp_status follow(swp_ptx_exploration *t, bool whole, bool *shown, int64_t *most)
{
    SWP_TRY(SWP_TAKE(t->ctx, 1, &t->terms));
    SWP_TRY(swp_ptx_terms_open(t->ctx, t->module, t->terms));
    t->terms->whole = whole;
    for (int i = 0; i < t->arguments.count; i++)
        t->arguments.items[i].given =
            t->arguments.items[i].is_bytes || t->arguments.items[i].stated;
    t->steps = t->runs = 0;
    t->too_long = t->faulty = false;
    /* Arguments that are too many have no values here. */
    t->ends &= t->too_many < 0;
    t->too_many = -1;
    SWP_TRY(swp_ptx_try_all(t));
    *shown = !t->ends && !t->too_long && t->runs > 0;
    return *shown ? repeat_all(t, shown, most) : SWP_OK;
}

/* Loads that a term is computed from. */
static swp_status assume_loads(swp_ptx_exploration *t, int term, bool *reported)
{
    static const char why[] =
        "what threads load here from one address is the same for all, and does not change";
    const swp_ptx_term *of = &t->terms->items[term];
    if (reported[term])
        return SWP_OK;
    reported[term] = true;
    if (swp_ptx_is_load(of))
        SWP_TRY(swp_ptx_assume(t, of->insn, why));
    for (int i = 0; i < of->count; i++)
        if (of->sources[i].term)
            SWP_TRY(assume_loads(t, of->sources[i].term, reported));
    return SWP_OK;
}

/* Of a predicate that is given: where tiles are taken to be whole. */
static swp_status assume_tile(swp_ptx_exploration *t, const swp_ptx_exploration *before, int term)
{
    char *why = NULL;
    swp_text text = {.ctx = t->ctx};
    if (!swp_ptx_is_tile(&t->terms->items[term]))
        return SWP_OK;
    swp_text_format(&text,
                    "all threads of a work group compare alike here, as where each tile is a "
                    "whole one, or none of it is left; a launch in which some tile is not is "
                    "judged by");
    swp_ptx_add_options(before, &text);
    SWP_TRY(swp_text_end(&text, &why, NULL));
    return swp_ptx_assume(t, t->terms->items[term].insn, why);
}

static swp_status tell(swp_ptx_exploration *t, const swp_ptx_exploration *before, int64_t most)
{
    bool *reported = NULL;
    SWP_TRY(SWP_TAKE(t->ctx, t->terms->count, &reported));
    for (int i = 0; i < t->arguments.count; i++) {
        const swp_ptx_argument *argument = &t->arguments.items[i];
        char *why = NULL;
        if (argument->given && argument->param == SWP_PTX_TERM)
            SWP_TRY(assume_loads(t, (int)argument->offset, reported));
        if (argument->given && argument->param == SWP_PTX_TERM)
            SWP_TRY(assume_tile(t, before, (int)argument->offset));
        if (is_number(argument)) {
            SWP_TRY(swp_ptx_name_argument(t, argument, most, &why));
            SWP_TRY(swp_ptx_assume(t, -1, why));
        }
    }
    SWP_TRY(swp_ptx_add_assumptions(t));
    return swp_ptx_tell_stated(t);
}

swp_status swp_ptx_show_by_terms(const swp_ptx_exploration *before, bool *shown)
{
    int64_t most = 0;
    *shown = false;
    for (int whole = 0; whole < 2 && !*shown; whole++) {
        swp_ptx_exploration t = *before;
        SWP_TRY(swp_ptx_copy_equations(t.ctx, &t.equations));
        SWP_TRY(follow(&t, whole, shown, &most));
        if (*shown)
            SWP_TRY(tell(&t, before, most));
    }
    return SWP_OK;
}
