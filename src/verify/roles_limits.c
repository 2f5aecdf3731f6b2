/* SPDX-License-Identifier: Apache-2.0 */
/* Where the proof of runs gives up, and what it says then. */
#include "base/diag.h"
#include "base/text.h"
#include "verify/roles_runs.h"

/* How many passes are followed after any order should have come back, and how many steps of threads in all. */
enum { SPARE_PASSES = 32, MOST_PASSES = 1024 };
static const uint64_t most_steps = UINT64_C(1) << 26;

int swp_verify_role_most_passes(const swp_role_form_proof *f)
{
    const int64_t most = 3 * (int64_t)f->span.reach + f->span.horizon + SPARE_PASSES;
    return most < MOST_PASSES ? (int)most : MOST_PASSES;
}

bool swp_verify_role_is_too_much(const swp_role_prover *v)
{
    const uint64_t most = v->part.most_steps;
    return v->out->work > (most > 0 ? most : most_steps);
}

/* Short of either limit the order should have come back. */
static swp_status tell_no_end(const swp_role_prover *v, const swp_role_form_proof *f)
{
    char *hint = v->out->hazards.count > 0
                     ? "mend the accepted hazards: they let the threads drift apart"
                     : "please report this schedule";
    if (swp_verify_role_is_too_much(v))
        SWP_TRY(swp_format(v->ctx, &hint,
                           "a proof follows %llu steps of threads: there are fewer with fewer "
                           "slots, instances or entries",
                           (unsigned long long)most_steps));
    else if (f->explored >= MOST_PASSES)
        SWP_TRY(swp_format(v->ctx, &hint,
                           "a proof follows %d passes: let waits leave fewer groups in flight, or "
                           "objects have fewer slots",
                           MOST_PASSES));
    return swp_error(v->ctx, SWP_E0702, SWP_NOWHERE, hint,
                     "the order of the %s did not come back within %d passes",
                     v->is_flat ? "waves" : "warp roles", f->explored);
}

swp_status swp_verify_role_check_end(const swp_role_prover *v, const swp_role_form_proof *forms,
                                     int count)
{
    for (int i = 0; i < count; i++)
        if (forms[i].is_open && !v->found)
            return tell_no_end(v, &forms[i]);
    return SWP_OK;
}
