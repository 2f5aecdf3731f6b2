/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel's runs come to in each of several clusters: the first one in which it is in order, or else what is wrong. */
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
    out->kernel = *t->kernel;
    memcpy(out->kernel.cluster, cluster, sizeof out->kernel.cluster);
    out->kernel.is_explicit = true;
    out->of = *t;
    out->of.kernel = &out->kernel;
    out->of.out = &out->report;
    out->of.found = &out->found;
    out->of.first_finding = out->of.first_assumption = 0;
    out->report = (swp_audit_report){
        .target = t->out->target, .file = t->out->file, .launch = t->out->launch};
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

/* What comes first of what the trials have come to; of two alike the smaller cluster. */
static int rank_of(const cluster_attempt *of)
{
    return of->answer == SWP_AUDIT_NO_FAULT ? 3
           : of->of.lacks_cluster           ? 0
           : of->report.findings.count      ? 1
                                            : 2;
}

static swp_status take(swp_ptx_exploration *t, const cluster_attempt *best, bool certain)
{
    const int *cluster = best->kernel.cluster;
    const size_t first = t->out->findings.count;
    swp_audit_report *out = t->out;
    swp_ptx_findings *found = t->found;
    const size_t first_finding = t->first_finding;
    const size_t first_assumption = t->first_assumption;
    char *why = NULL;
    *t = best->of;
    t->out = out;
    t->found = found;
    t->first_finding = first_finding;
    t->first_assumption = first_assumption;
    for (size_t i = 0; i < best->found.count; i++) {
        swp_audit_finding finding = best->report.findings.items[i];
        char *detail = NULL;
        if (!certain)
            SWP_TRY(swp_format(t->ctx, &detail,
                               "%s; in clusters of %d x %d: state which the launch has (--cluster)",
                               finding.detail, cluster[0], cluster[1]));
        finding.detail = detail ? detail : finding.detail;
        finding.certain &= certain;
        SWP_TRY(SWP_PUSH(t->ctx, found, best->found.items[i]));
        SWP_TRY(SWP_PUSH(t->ctx, &out->findings, finding));
    }
    t->faulty = t->out->findings.count > first;
    for (size_t i = 0; i < best->report.unknown_instructions.count; i++)
        SWP_TRY(SWP_PUSH(t->ctx, &out->unknown_instructions,
                         best->report.unknown_instructions.items[i]));
    for (size_t i = 0; i < best->report.assumptions.count; i++)
        SWP_TRY(SWP_PUSH(t->ctx, &out->assumptions, best->report.assumptions.items[i]));
    SWP_TRY(swp_format(t->ctx, &why,
                       "it runs in clusters of %d x %d work groups, as neither the file nor the "
                       "launch says in which (--cluster)",
                       cluster[0], cluster[1]));
    return swp_ptx_assume(t, -1, why);
}

/* The first thing that goes wrong is enough to know that it is not this one. */
static swp_status try_cluster(const swp_ptx_exploration *t, const int *cluster, bool first,
                              swp_ptx_judgement *judge, cluster_attempt *out)
{
    set_up(t, cluster, out);
    out->found = (swp_ptx_findings){0};
    out->of.first |= first;
    out->of.tries = first;
    SWP_TRY(judge(&out->of));
    out->of.first = t->first;
    out->of.tries = false;
    out->answer = answer_of(&out->report);
    return SWP_OK;
}

swp_status swp_ptx_try_clusters(swp_ptx_exploration *t, swp_ptx_judgement *judge)
{
    cluster_attempt *all = NULL;
    int best = 0;
    bool certain = false;
    SWP_TRY(SWP_TAKE(t->ctx, COUNT, &all));
    for (int i = 0; i < COUNT; i++)
        all[i].answer = SWP_AUDIT_UNKNOWN;
    for (int i = 0; i < COUNT && all[best].answer != SWP_AUDIT_NO_FAULT; i++) {
        if (!fits(t, clusters[i]))
            continue;
        SWP_TRY(try_cluster(t, clusters[i], true, judge, &all[i]));
        best = rank_of(&all[i]) > rank_of(&all[best]) ? i : best;
    }
    if (all[best].report.findings.count && !t->first)
        SWP_TRY(try_cluster(t, clusters[best], false, judge, &all[best]));
    if (all[best].answer == SWP_AUDIT_FAULT)
        SWP_TRY(fails_in_all(t, &all[best], &certain));
    return take(t, &all[best], certain);
}
