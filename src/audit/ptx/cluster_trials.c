/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel's runs come to in several clusters together. */
#include "audit/ptx/cluster_trials.h"

#include "audit/ptx/windows.h"
#include "base/names.h"
#include "base/text.h"

#include <string.h>

static const int clusters[][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}};

enum { COUNT = SWP_COUNT_OF(clusters) };

/* What was found in one of them. */
typedef struct cluster_attempt {
    swp_ptx_exploration of;
    swp_ptx_kernel kernel;
    swp_audit_report report;
    swp_ptx_findings found;
    swp_audit_answer answer;
    bool is_tried; /* a grid that is stated is made of such */
} cluster_attempt;

static swp_audit_answer answer_of(const swp_audit_report *report)
{
    bool certain = false;
    for (size_t i = 0; i < report->findings.count; i++)
        certain |= report->findings.items[i].certain;
    return certain                                                        ? SWP_AUDIT_FAULT
           : report->findings.count || report->unknown_instructions.count ? SWP_AUDIT_UNKNOWN
                                                                          : SWP_AUDIT_NO_FAULT;
}

static void set_up(const swp_ptx_exploration *t, const int *cluster, cluster_attempt *out)
{
    swp_ptx_tell_apart(t, &out->report, &out->found, &out->of);
    out->kernel = *t->kernel;
    memcpy(out->kernel.cluster, cluster, sizeof out->kernel.cluster);
    out->kernel.is_explicit = true;
    out->of.kernel = &out->kernel;
}

/* What is asked for beside what a fault was seen with is as in the first runs of a kernel. */
static void give_base_values(swp_ptx_arguments *arguments, const swp_ptx_arguments *seen)
{
    for (int i = 0; i < arguments->count; i++) {
        swp_ptx_argument *argument = &arguments->items[i];
        if (!argument->stated && !(i < seen->count && seen->items[i].given))
            argument->value = swp_ptx_base_value(argument, 1);
    }
}

/* A grid is made of whole clusters. */
static bool fits(const swp_ptx_exploration *t, const int *cluster)
{
    bool does = true;
    for (int d = 0; d < 3; d++)
        does &= t->arguments.launch->grid[d] % cluster[d] == 0;
    return does;
}

/* Whether the run that has shown a fault in one cluster shows one in another: with the same arguments, and what else is asked for. */
static swp_status fails_too(const swp_ptx_exploration *t, const cluster_attempt *seen,
                            const int *cluster, bool *fails)
{
    cluster_attempt *other = NULL;
    bool again = true;
    SWP_TRY(SWP_TAKE(t->ctx, 1, &other));
    set_up(t, cluster, other);
    other->of.arguments = seen->of.fault_arguments;
    while (again) {
        other->of.restarts = false;
        give_base_values(&other->of.arguments, &seen->of.fault_arguments);
        SWP_TRY(swp_ptx_dry_run(&other->of));
        if (!other->of.restarts)
            SWP_TRY(swp_ptx_run_once(&other->of, false));
        again = other->of.restarts && !other->of.ends;
    }
    *fails = answer_of(&other->report) == SWP_AUDIT_FAULT;
    return SWP_OK;
}

static swp_status fails_in_all(const swp_ptx_exploration *t, const cluster_attempt *seen, bool *all)
{
    *all = true;
    for (int i = 0; i < COUNT && *all; i++)
        if (memcmp(seen->kernel.cluster, clusters[i], sizeof clusters[i]) != 0 &&
            fits(t, clusters[i]))
            SWP_TRY(fails_too(t, seen, clusters[i], all));
    return SWP_OK;
}

/* What comes first of what is wrong, or not known; of two alike the smaller cluster. */
static int rank_of(const cluster_attempt *of)
{
    return of->of.lacks_cluster ? 0 : of->report.findings.count ? 1 : 2;
}

/* What goes wrong in one cluster is certain if it does in each. `right` is one in which nothing does; NULL: there is none. */
static swp_status say_cluster(swp_context *ctx, const cluster_attempt *in,
                              const cluster_attempt *right, swp_audit_finding *out)
{
    const int *cluster = in->kernel.cluster;
    char *detail = NULL;
    if (right)
        SWP_TRY(swp_format(ctx, &detail,
                           "%s; in clusters of %d x %d, not in those of %d x %d: state which the "
                           "launch has (--cluster)",
                           out->detail, cluster[0], cluster[1], right->kernel.cluster[0],
                           right->kernel.cluster[1]));
    else
        SWP_TRY(swp_format(ctx, &detail,
                           "%s; in clusters of %d x %d: state which the launch has (--cluster)",
                           out->detail, cluster[0], cluster[1]));
    out->detail = detail;
    out->certain = false;
    return SWP_OK;
}

static swp_status take_findings(swp_ptx_exploration *t, const cluster_attempt *told, bool certain,
                                const cluster_attempt *right)
{
    for (size_t i = 0; i < told->found.count; i++) {
        swp_audit_finding finding = told->report.findings.items[i];
        if (!certain)
            SWP_TRY(say_cluster(t->ctx, told, right, &finding));
        SWP_TRY(SWP_PUSH(t->ctx, t->told.found, told->found.items[i]));
        SWP_TRY(SWP_PUSH(t->ctx, &t->told.out->findings, finding));
    }
    t->faulty = told->found.count > 0;
    return SWP_OK;
}

static swp_status take(swp_ptx_exploration *t, const cluster_attempt *told, bool certain,
                       const cluster_attempt *right)
{
    const swp_audit_report *report = &told->report;
    const swp_ptx_telling own = t->told;
    char *why = NULL;
    *t = told->of;
    t->told = own;
    SWP_TRY(take_findings(t, told, certain, right));
    for (size_t i = 0; i < report->unknown_instructions.count; i++)
        SWP_TRY(SWP_PUSH(t->ctx, &own.out->unknown_instructions,
                         report->unknown_instructions.items[i]));
    for (size_t i = 0; i < report->assumptions.count; i++)
        SWP_TRY(SWP_PUSH(t->ctx, &own.out->assumptions, report->assumptions.items[i]));
    SWP_TRY(swp_format(t->ctx, &why,
                       "it runs in clusters of %d x %d work groups, as neither the file nor the "
                       "launch says in which (--cluster)",
                       told->kernel.cluster[0], told->kernel.cluster[1]));
    return swp_ptx_assume(t, -1, why);
}

/* The first thing that goes wrong may be enough. */
static swp_status try_cluster(const swp_ptx_exploration *t, const int *cluster, bool first,
                              swp_ptx_judgement *judge, cluster_attempt *out)
{
    set_up(t, cluster, out);
    out->of.first |= first;
    out->of.tries = first;
    SWP_TRY(judge(&out->of));
    out->of.first = t->first;
    out->of.tries = false;
    out->answer = answer_of(&out->report);
    return SWP_OK;
}

/* The first cluster with an answer; NULL: none has it. */
static cluster_attempt *with_answer(cluster_attempt *all, swp_audit_answer answer)
{
    for (int i = 0; i < COUNT; i++)
        if (all[i].is_tried && all[i].answer == answer)
            return &all[i];
    return NULL;
}

/* Where it is right in one cluster, what is certain in another counts, and may stand behind what is not. */
static swp_status look_further(const swp_ptx_exploration *t, swp_ptx_judgement *judge,
                               cluster_attempt *all)
{
    for (int i = 0; i < COUNT && !with_answer(all, SWP_AUDIT_FAULT); i++)
        if (all[i].is_tried && all[i].report.findings.count)
            SWP_TRY(try_cluster(t, clusters[i], false, judge, &all[i]));
    return SWP_OK;
}

static cluster_attempt *best_of(cluster_attempt *all)
{
    int best = 0;
    for (int i = 1; i < COUNT; i++)
        if (all[i].is_tried && rank_of(&all[i]) > rank_of(&all[best]))
            best = i;
    return &all[best];
}

swp_status swp_ptx_try_clusters(swp_ptx_exploration *t, swp_ptx_judgement *judge)
{
    cluster_attempt *all = NULL;
    bool certain = false;
    SWP_TRY(SWP_TAKE(t->ctx, COUNT, &all));
    for (int i = 0; i < COUNT; i++) {
        all[i].is_tried = fits(t, clusters[i]);
        if (all[i].is_tried)
            SWP_TRY(try_cluster(t, clusters[i], true, judge, &all[i]));
    }
    const cluster_attempt *right = with_answer(all, SWP_AUDIT_NO_FAULT);
    if (right)
        SWP_TRY(look_further(t, judge, all));
    cluster_attempt *told = right ? with_answer(all, SWP_AUDIT_FAULT) : best_of(all);
    if (!told)
        return take(t, right, false, NULL);
    if (told->report.findings.count && !t->first)
        SWP_TRY(try_cluster(t, clusters[told - all], false, judge, told));
    if (!right && told->answer == SWP_AUDIT_FAULT)
        SWP_TRY(fails_in_all(t, told, &certain));
    return take(t, told, certain, right);
}
