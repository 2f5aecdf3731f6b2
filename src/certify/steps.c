/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the steps of a certificate one by one, each of which may raise the proven bound. */
#include "certify/steps.h"

#include "certify/bounds.h"
#include "certify/frame.h"
#include "certify/refute.h"

static void raise(swp_steps_proof *proof, int64_t bound)
{
    if (bound > proof->bound)
        proof->bound = bound;
}

/*
 * A refutation at v proves v + 1 if a schedule at a smaller interval implies one at v. Otherwise
 * all values below v must be refuted already.
 */
static swp_status take_refutation(swp_context *ctx, swp_judgement *judgement,
                                  const swp_problem *problem, const swp_certificate_step *step,
                                  swp_certificate_report *report, swp_steps_proof *proof)
{
    bool all_below = false;
    if (step->scope == SWP_REFUTED_VALUE) {
        SWP_TRY(swp_certify_refutes_all_below(ctx, problem, &all_below));
        if (!all_below && proof->bound < step->value)
            return swp_certify_refuse(
                judgement, step->place,
                "with negative delays %lld can be refuted only after all below it, "
                "but values from %lld on are not",
                (long long)step->value, (long long)proof->bound);
    }
    SWP_TRY(swp_certify_judge_refutation(ctx, judgement, problem, step, report));
    if (step->scope == SWP_REFUTED_COMPONENT)
        proof->infeasible = true;
    else
        raise(proof, step->value + 1);
    return SWP_OK;
}

static swp_status take_step(swp_context *ctx, swp_judgement *judgement, const swp_problem *problem,
                            const swp_certificate_step *step, swp_certificate_report *report,
                            swp_steps_proof *proof)
{
    if (step->kind == SWP_CERTIFICATE_REFUTATION)
        return take_refutation(ctx, judgement, problem, step, report, proof);
    int64_t bound = 0;
    SWP_TRY(swp_certify_step_bound(ctx, judgement, problem, step, &bound));
    raise(proof, bound);
    return SWP_OK;
}

/* Each step has memory of its own, since a formula is needed no longer than its refutation. */
swp_status swp_certify_take_steps(swp_context *ctx, swp_judgement *judgement,
                                  const swp_problem *problem, const swp_certificate_step *steps,
                                  size_t count, swp_certificate_report *report,
                                  swp_steps_proof *proof)
{
    for (size_t i = 0; i < count; i++) {
        swp_context scratch;
        SWP_TRY(swp_scope_open(ctx, &scratch));
        report->step = i + 1;
        const swp_status status = take_step(&scratch, judgement, problem, &steps[i], report, proof);
        swp_scope_close(&scratch);
        SWP_TRY(status);
    }
    report->step = 0;
    return SWP_OK;
}
