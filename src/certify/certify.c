/* SPDX-License-Identifier: Apache-2.0 */
/* Judges an answer by the definition of its problem, and its bound by the steps of the certificate. */
#include "swp/certify.h"

#include "base/names.h"
#include "base/require.h"
#include "certify/answer.h"
#include "certify/steps.h"

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

static swp_status judge_header(check *c)
{
    const swp_certificate *certificate = c->certificate;
    const bool optimal = certificate->status == SWP_ANSWER_OPTIMAL;
    if (strcmp(certificate->name, c->problem->name) != 0)
        return swp_certify_refuse(&c->judgement, certificate->place,
                                  "the certificate is for `%s`, not for `%s`", certificate->name,
                                  c->problem->name);
    if (certificate->problem != c->problem->kind)
        return swp_certify_refuse(&c->judgement, certificate->place,
                                  "the certificate is for a problem of the other kind");
    if (certificate->status != c->answer->status)
        return swp_certify_refuse(
            &c->judgement, certificate->place, "the certificate says `%s`, but the answer `%s`",
            swp_answer_status_name(certificate->status), swp_answer_status_name(c->answer->status));
    if (certificate->has_value != optimal)
        return swp_certify_refuse(
            &c->judgement, certificate->place,
            "a certificate has a value if, and only if, the answer is optimal");
    if (optimal && certificate->value != c->answer->value)
        return swp_certify_refuse(&c->judgement, certificate->place,
                                  "the certificate is for the value %lld, but the answer's is %lld",
                                  (long long)certificate->value, (long long)c->answer->value);
    return SWP_OK;
}

/* Says what is left to say once all steps hold. */
static swp_status conclude(check *c)
{
    const swp_answer *answer = c->answer;
    const long long proven = (long long)c->report->proven;
    const bool has_schedule =
        answer->status == SWP_ANSWER_OPTIMAL || answer->status == SWP_ANSWER_FEASIBLE;
    if (has_schedule && (c->infeasible || c->report->proven > answer->value))
        return swp_certify_refuse(
            &c->judgement, c->problem->place,
            "the steps prove %s %lld, but the schedule of %lld is right: this is a "
            "defect of the checker",
            c->infeasible ? "that there is no schedule, and" : "at least", proven,
            (long long)answer->value);
    if (answer->status == SWP_ANSWER_OPTIMAL && c->report->proven < answer->value)
        return swp_certify_refuse(
            &c->judgement, c->certificate ? c->certificate->place : c->problem->place,
            "the value is %lld, but the steps prove only that it is at least %lld",
            (long long)answer->value, proven);
    if (answer->status == SWP_ANSWER_INFEASIBLE && !c->infeasible)
        return swp_certify_refuse(&c->judgement,
                                  c->certificate ? c->certificate->place : c->problem->place,
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
    SWP_TRY(swp_certify_judge_answer(c->ctx, &c->judgement, c->problem, c->answer));
    if (c->certificate) {
        swp_steps_proof proof = {.bound = c->report->proven};
        SWP_TRY(judge_header(c));
        const swp_status status =
            swp_certify_take_steps(c->ctx, &c->judgement, c->problem, c->certificate->steps,
                                   c->certificate->step_count, c->report, &proof);
        c->report->proven = proof.bound;
        c->infeasible = proof.infeasible;
        SWP_TRY(status);
    }
    return conclude(c);
}

swp_status swp_certificate_check(swp_context *ctx, const swp_problem *problem,
                                 const swp_answer *answer, const swp_certificate *certificate,
                                 swp_certificate_report *report)
{
    SWP_REQUIRE(ctx, ctx && problem && answer && report);
    *report = (swp_certificate_report){.name = problem->name,
                                       .status = answer->status,
                                       .value = answer->value,
                                       .bound = answer->bound,
                                       .proven = problem->kind == SWP_PROBLEM_MODULO ? 1 : 0,
                                       .steps = certificate ? certificate->step_count : 0};
    check c = {.ctx = ctx,
               .judgement = swp_certify_begin(ctx),
               .problem = problem,
               .answer = answer,
               .certificate = certificate,
               .report = report};
    return swp_certify_conclude(&c.judgement, judge(&c), report);
}
