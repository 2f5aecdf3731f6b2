/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel's runs with several numbers of threads come to together: each finding once, with the numbers that it is seen with. */
#include "audit/ptx/block_trials.h"

#include "audit/ptx/report.h"
#include "base/text.h"

#include <string.h>

/* What was found with one of them. */
typedef struct trial {
    swp_ptx_exploration of;
    swp_audit_report report;
    swp_ptx_findings found;
    bool fits;
} trial;

typedef struct trials {
    trial items[SWP_PTX_MOST_BLOCK_SIZES];
    const swp_ptx_block_sizes *sizes;
    bool always; /* each of them has a fault, though none is in all */
} trials;

typedef enum sighting { NOT_SEEN, SEEN, SEEN_CERTAIN } sighting;

static bool cannot_meet(const swp_audit_report *report)
{
    bool cannot = false;
    for (size_t i = 0; i < report->findings.count; i++)
        cannot |= report->findings.items[i].kind == SWP_NAMED_BARRIER;
    return cannot;
}

static swp_status try_size(const swp_ptx_exploration *t, int size, swp_ptx_judgement *judge,
                           trial *out)
{
    swp_ptx_kernel kernel = *t->kernel;
    kernel.threads[0] = size;
    kernel.threads[1] = kernel.threads[2] = 1;
    swp_ptx_tell_apart(t, &out->report, &out->found, &out->of);
    out->of.kernel = &kernel;
    SWP_TRY(judge(&out->of));
    out->of.kernel = t->kernel;
    out->fits = !cannot_meet(&out->report);
    return SWP_OK;
}

/* Of two accesses that nothing orders, a run finds either first. */
static bool is_same(const swp_ptx_finding *a, const swp_ptx_finding *b)
{
    return (a->kind == b->kind && a->at == b->at && a->other == b->other) ||
           (swp_ptx_is_race(a->kind) && swp_ptx_is_race(b->kind) && a->at == b->other &&
            a->other == b->at);
}

static sighting see(const trial *in, const swp_ptx_finding *finding)
{
    sighting seen = NOT_SEEN;
    for (size_t i = 0; i < in->found.count; i++) {
        const sighting own = in->report.findings.items[i].certain ? SEEN_CERTAIN : SEEN;
        if (is_same(&in->found.items[i], finding) && own > seen)
            seen = own;
    }
    return seen;
}

/* In all numbers of threads that fit; the least that it is in each of them. */
static sighting see_in_all(const trials *all, const swp_ptx_finding *finding)
{
    sighting least = SEEN_CERTAIN;
    for (int i = 0; i < all->sizes->count; i++) {
        const sighting own = all->items[i].fits ? see(&all->items[i], finding) : SEEN_CERTAIN;
        least = own < least ? own : least;
    }
    return least;
}

static bool is_told(const trials *all, int before, const swp_ptx_finding *finding)
{
    for (int i = 0; i < before; i++)
        if (all->items[i].fits && see(&all->items[i], finding) != NOT_SEEN)
            return true;
    return false;
}

/* With which a finding is seen, or is not; NULL: with which threads can meet. */
static swp_status list_sizes(const swp_ptx_exploration *t, const trials *all,
                             const swp_ptx_finding *finding, bool seen, char **out)
{
    swp_ptx_block_sizes some = {.count = 0};
    for (int i = 0; i < all->sizes->count; i++) {
        const bool is = !finding || (see(&all->items[i], finding) != NOT_SEEN) == seen;
        if (all->items[i].fits && is)
            some.items[some.count++] = all->sizes->items[i];
    }
    return swp_ptx_list_block_sizes(t->ctx, &some, out);
}

static swp_status say_sizes(const swp_ptx_exploration *t, const trials *all,
                            const swp_ptx_finding *finding, swp_audit_finding *out)
{
    const sighting least = see_in_all(all, finding);
    char *with = NULL;
    char *without = NULL;
    char *detail = NULL;
    SWP_TRY(list_sizes(t, all, finding, true, &with));
    SWP_TRY(list_sizes(t, all, finding, false, &without));
    if (least != NOT_SEEN)
        SWP_TRY(swp_format(t->ctx, &detail,
                           "%s; with %s threads alike, as the file does not "
                           "say how many there are",
                           out->detail, with));
    else
        SWP_TRY(swp_format(t->ctx, &detail,
                           all->always ? "%s; with %s threads in a work group, and with %s other "
                                         "things go wrong: state how many there are (--block)"
                                       : "%s; with %s threads in a work group, not with %s: "
                                         "state how many there are (--block)",
                           out->detail, with, without));
    out->detail = detail;
    out->certain &= least == SEEN_CERTAIN || all->always;
    return SWP_OK;
}

static swp_status take_findings(const swp_ptx_exploration *t, const trials *all, int from)
{
    const trial *own = &all->items[from];
    for (size_t i = 0; i < own->found.count; i++) {
        swp_audit_finding finding = own->report.findings.items[i];
        if (is_told(all, from, &own->found.items[i]))
            continue;
        SWP_TRY(say_sizes(t, all, &own->found.items[i], &finding));
        SWP_TRY(SWP_PUSH(t->ctx, t->told.found, own->found.items[i]));
        SWP_TRY(SWP_PUSH(t->ctx, &t->told.out->findings, finding));
    }
    return SWP_OK;
}

/* Each note once. */
static swp_status take_notes(swp_context *ctx, const swp_audit_note_list *from,
                             swp_audit_note_list *to)
{
    for (size_t i = 0; i < from->count; i++) {
        bool told = false;
        for (size_t j = 0; j < to->count; j++)
            told |= to->items[j].at.line == from->items[i].at.line &&
                    strcmp(to->items[j].why, from->items[i].why) == 0;
        if (!told)
            SWP_TRY(SWP_PUSH(ctx, to, from->items[i]));
    }
    return SWP_OK;
}

/* Faults with each number of threads, and none that is in all. */
static bool fails_always(const trials *all)
{
    bool always = true;
    bool common = false;
    for (int i = 0; i < all->sizes->count; i++) {
        const trial *own = &all->items[i];
        bool sure = !own->fits;
        for (size_t f = 0; f < own->found.count; f++) {
            sure |= own->report.findings.items[f].certain;
            common |= own->fits && see_in_all(all, &own->found.items[f]) == SEEN_CERTAIN;
        }
        always &= sure;
    }
    return always && !common;
}

/* Where nothing is wrong, it is shown for as many passes as with the number of threads that has the fewest. */
static void take_range(swp_ptx_exploration *t, const trial *from)
{
    const bool is_less = from->of.most && (!t->most || from->of.most < t->most);
    if (t->arguments.count && !is_less)
        return;
    t->arguments = from->of.arguments;
    t->most = from->of.most;
}

static swp_status take_answers(swp_ptx_exploration *t, const trials *all)
{
    char *why = NULL;
    char *names = NULL;
    SWP_TRY(list_sizes(t, all, NULL, true, &names));
    SWP_TRY(swp_format(t->ctx, &why,
                       "the work group has %s threads, as the file does not say how many (--block)",
                       names));
    SWP_TRY(swp_ptx_assume(t, -1, why));
    for (int i = 0; i < all->sizes->count; i++) {
        const trial *own = &all->items[i];
        if (!own->fits)
            continue;
        SWP_TRY(take_findings(t, all, i));
        SWP_TRY(take_notes(t->ctx, &own->report.unknown_instructions,
                           &t->told.out->unknown_instructions));
        SWP_TRY(take_notes(t->ctx, &own->report.assumptions, &t->told.out->assumptions));
        take_range(t, own);
    }
    return SWP_OK;
}

swp_status swp_ptx_try_block_sizes(swp_ptx_exploration *t, const swp_ptx_block_sizes *sizes,
                                   swp_ptx_judgement *judge)
{
    trials *all = NULL;
    bool any_fits = false;
    SWP_TRY(SWP_TAKE(t->ctx, 1, &all));
    all->sizes = sizes;
    for (int i = 0; i < sizes->count; i++) {
        SWP_TRY(try_size(t, sizes->items[i], judge, &all->items[i]));
        any_fits |= all->items[i].fits;
    }
    for (int i = 0; i < sizes->count; i++)
        all->items[i].fits |= !any_fits;
    all->always = fails_always(all);
    return take_answers(t, all);
}
