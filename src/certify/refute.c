/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the formula of a refutation again, compares it, and checks its DRAT proof. */
#include "certify/refute.h"

#include "certify/drat.h"
#include "certify/encode.h"

static swp_status judge_report(swp_judgement *judgement, const swp_certificate_step *step,
                               const swp_drat_report *drat)
{
    swp_place place = step->proof.place;
    place.line = drat->line ? drat->line : place.line;
    switch (drat->answer) {
    case SWP_DRAT_REFUTED:
        return SWP_OK;
    case SWP_DRAT_STEP_REFUSED:
        return swp_certify_refuse(judgement, place, "step %zu of the proof: %s", drat->step,
                                  drat->why);
    case SWP_DRAT_INCOMPLETE:
        return swp_certify_refuse(judgement, place,
                                  "the proof ends after %zu steps without the empty clause",
                                  drat->step);
    case SWP_DRAT_STOPPED:
        break;
    }
    return SWP_STOPPED;
}

static void count(const swp_certify_formula *formula, const swp_drat_report *drat,
                  swp_certificate_report *counts)
{
    counts->refutations++;
    counts->clauses += formula->clauses;
    counts->additions += drat->additions;
    counts->rat += drat->rat;
    counts->deletions += drat->deletions;
    counts->unknown_deletions += drat->unknown_deletions;
}

/*
 * Each variable stands in some clause, which takes two bytes for it; only a window of two times may
 * lack a clause. So the checker never makes more variables than the certificate's size pays for.
 */
static swp_status judge_variables(swp_judgement *judgement, const swp_problem *problem,
                                  const swp_certificate_step *step)
{
    const uint64_t most = step->formula.length / 2 + problem->op_count;
    if (!step->formula.text || (uint64_t)step->variables <= most)
        return SWP_OK;
    return swp_certify_refuse(
        judgement, step->place,
        "`variables` is %lld, but its %lld clauses and %zu ops have %llu at most",
        (long long)step->variables, (long long)step->clauses, problem->op_count,
        (unsigned long long)most);
}

swp_status swp_certify_judge_refutation(swp_context *ctx, swp_judgement *judgement,
                                        const swp_problem *problem,
                                        const swp_certificate_step *step,
                                        swp_certificate_report *counts)
{
    swp_frame frame;
    swp_drat_report drat;
    swp_sink sink = swp_certify_sink_open(ctx, judgement, step);
    const swp_drat_proof proof = {step->proof.text, step->proof.length, SWP_DRAT_TEXT,
                                  step->proof.place};
    SWP_TRY(judge_variables(judgement, problem, step));
    SWP_TRY(swp_certify_frame_new(ctx, judgement, problem, step, &frame));
    SWP_TRY(swp_certify_encode(ctx, &frame, &sink));
    SWP_TRY(swp_certify_sink_close(&sink));
    SWP_TRY(swp_certify_drat_check(ctx, &sink.formula, &proof, &judgement->budget, &drat));
    count(&sink.formula, &drat, counts);
    return judge_report(judgement, step, &drat);
}
