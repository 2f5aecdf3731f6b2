/* SPDX-License-Identifier: Apache-2.0 */
#include "swp/certify.h"

#include "base/clock.h"
#include "base/names.h"
#include "certify/answer.h"
#include "certify/bounds.h"
#include "certify/frame.h"
#include "certify/refute.h"

#include <string.h>

/* One answer and its certificate. */
typedef struct check {
    swp_context *ctx;
    swp_judgement judgement;
    const swp_problem *problem;
    const swp_answer *answer;
    const swp_certificate *certificate;
    swp_certificate_report *report;
    bool infeasible; /* a step has proven that no schedule exists */
} check;

static void raise(check *c, int64_t bound)
{
    if (bound > c->report->proven)
        c->report->proven = bound;
}

/*
 * A refutation at v proves v + 1 where a schedule at a smaller interval would give one at v; else
 * only if nothing below v is left.
 */
static swp_status take_refutation(swp_context *ctx, check *c, const swp_certificate_step *step)
{
    bool all_below = false;
    if (step->scope == SWP_REFUTED_VALUE) {
        SWP_TRY(swp_refutes_all_below(ctx, c->problem, &all_below));
        if (!all_below && c->report->proven < step->value)
            return swp_refuse(&c->judgement, step->place,
                              "with negative delays %lld can be refuted only after all below it, "
                              "but values from %lld on are not",
                              (long long)step->value, (long long)c->report->proven);
    }
    SWP_TRY(swp_judge_refutation(ctx, &c->judgement, c->problem, step, c->report));
    if (step->scope == SWP_REFUTED_COMPONENT)
        c->infeasible = true;
    else
        raise(c, step->value + 1);
    return SWP_OK;
}

static swp_status take_step(swp_context *ctx, check *c, const swp_certificate_step *step)
{
    if (step->kind == SWP_CERTIFICATE_REFUTATION)
        return take_refutation(ctx, c, step);
    int64_t bound = 0;
    SWP_TRY(swp_step_bound(ctx, &c->judgement, c->problem, step, &bound));
    raise(c, bound);
    return SWP_OK;
}

/* Each step in memory of its own: a formula is needed no longer than its refutation. */
static swp_status take_steps(check *c)
{
    for (size_t i = 0; i < c->certificate->step_count; i++) {
        swp_context scratch = *c->ctx;
        scratch.arena = swp_arena_new(&c->ctx->arena->allocator);
        if (!scratch.arena)
            return swp_out_of_memory(c->ctx);
        c->report->step = i + 1;
        const swp_status status = take_step(&scratch, c, &c->certificate->steps[i]);
        swp_arena_free(scratch.arena);
        SWP_TRY(status);
    }
    c->report->step = 0;
    return SWP_OK;
}

static swp_status judge_header(check *c)
{
    const swp_certificate *certificate = c->certificate;
    const bool optimal = certificate->status == SWP_ANSWER_OPTIMAL;
    if (strcmp(certificate->name, c->problem->name) != 0)
        return swp_refuse(&c->judgement, certificate->place,
                          "the certificate is for `%s`, not for `%s`", certificate->name,
                          c->problem->name);
    if (certificate->problem != c->problem->kind)
        return swp_refuse(&c->judgement, certificate->place,
                          "the certificate is for a problem of the other kind");
    if (certificate->status != c->answer->status)
        return swp_refuse(
            &c->judgement, certificate->place, "the certificate says `%s`, but the answer `%s`",
            swp_answer_status_name(certificate->status), swp_answer_status_name(c->answer->status));
    if (certificate->has_value != optimal)
        return swp_refuse(&c->judgement, certificate->place,
                          "a certificate has a value if, and only if, the answer is optimal");
    if (optimal && certificate->value != c->answer->value)
        return swp_refuse(&c->judgement, certificate->place,
                          "the certificate is for the value %lld, but the answer's is %lld",
                          (long long)certificate->value, (long long)c->answer->value);
    return SWP_OK;
}

/* What is left to say once all steps hold. */
static swp_status conclude(check *c)
{
    const swp_answer *answer = c->answer;
    const long long proven = (long long)c->report->proven;
    const bool has_schedule =
        answer->status == SWP_ANSWER_OPTIMAL || answer->status == SWP_ANSWER_FEASIBLE;
    if (has_schedule && (c->infeasible || c->report->proven > answer->value))
        return swp_refuse(&c->judgement, c->problem->place,
                          "the steps prove %s %lld, but the schedule of %lld is right: this is a "
                          "defect of the checker",
                          c->infeasible ? "that there is no schedule, and" : "at least", proven,
                          (long long)answer->value);
    if (answer->status == SWP_ANSWER_OPTIMAL && c->report->proven < answer->value)
        return swp_refuse(&c->judgement, c->certificate ? c->certificate->place : c->problem->place,
                          "the value is %lld, but the steps prove only that it is at least %lld",
                          (long long)answer->value, proven);
    if (answer->status == SWP_ANSWER_INFEASIBLE && !c->infeasible)
        return swp_refuse(&c->judgement, c->certificate ? c->certificate->place : c->problem->place,
                          "no step proves that there is no schedule");
    const bool claims = answer->status == SWP_ANSWER_INFEASIBLE;
    if (!claims && !c->infeasible && answer->bound > c->report->proven) {
        c->report->verdict = SWP_CERTIFICATE_UNPROVEN;
        char *why = NULL;
        SWP_TRY(swp_format(c->ctx, &why, "the bound is %lld, but the steps prove only %lld",
                           (long long)answer->bound, proven));
        c->report->why = why;
    }
    return SWP_OK;
}

static swp_status judge(check *c)
{
    SWP_TRY(swp_problem_check(c->ctx, c->problem));
    SWP_TRY(swp_judge_answer(c->ctx, &c->judgement, c->problem, c->answer));
    if (c->certificate) {
        SWP_TRY(judge_header(c));
        SWP_TRY(take_steps(c));
    }
    return conclude(c);
}

swp_status swp_certificate_check(swp_context *ctx, const swp_problem *problem,
                                 const swp_answer *answer, const swp_certificate *certificate,
                                 swp_certificate_report *report)
{
    const double began = swp_clock();
    *report = (swp_certificate_report){.name = problem->name,
                                       .status = answer->status,
                                       .value = answer->value,
                                       .bound = answer->bound,
                                       .proven = problem->kind == SWP_PROBLEM_MODULO ? 1 : 0,
                                       .steps = certificate ? certificate->step_count : 0};
    check c = {.ctx = ctx,
               .judgement = {.ctx = ctx, .patience = swp_patience_begin(ctx)},
               .problem = problem,
               .answer = answer,
               .certificate = certificate,
               .report = report};
    const swp_status status = judge(&c);
    report->seconds = swp_clock() - began;
    if (status == SWP_STOPPED) {
        report->verdict = SWP_CERTIFICATE_STOPPED;
        report->why = "a limit was reached before the check came to its end";
        return SWP_OK;
    }
    if (status == SWP_INVALID && c.judgement.why) {
        report->verdict = SWP_CERTIFICATE_REFUSED;
        report->why = c.judgement.why;
        report->place = c.judgement.place;
        return SWP_OK;
    }
    return status;
}
