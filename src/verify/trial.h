/* SPDX-License-Identifier: Apache-2.0 */
/* Tries edits of a schedule by the proof: whether one removes a hazard, and whether another comes. */
#ifndef SWP_VERIFY_TRIAL_H
#define SWP_VERIFY_TRIAL_H

#include "base/key_index.h"
#include "verify/edit.h"

/* What the edits are held against. */
typedef struct swp_trials {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_verdict *verdict; /* of it */
    swp_key_index known;        /* the verdict's hazards */
    bool ends_at_first; /* of a run the first kind of hazard is told: so it is with warp roles */
    int count;          /* made so far */
    uint64_t work;      /* of these, and… */
    int most;           /* …what there may be of both */
    uint64_t most_work;
    size_t left; /* hazards after the last one, if it could come to what was of interest */
} swp_trials;

typedef enum swp_trial_outcome {
    SWP_STAYS,
    SWP_UNCOVERS, /* it is gone, and another is there that was not told before */
    SWP_REPAIRS,  /* it is gone, and no other has come */
    SWP_CURES     /* none is left at all, but what is accepted */
} swp_trial_outcome;

swp_status swp_verify_trials_begin(swp_context *ctx, const swp_schedule *schedule,
                                   const swp_verdict *verdict, swp_trials *out);

/* Whether another one may be made. */
static inline bool swp_verify_may_try(const swp_trials *trials)
{
    return trials->count < trials->most && trials->work < trials->most_work;
}

/* The form whose lists a hazard is in. Prologue and kernel are those of all forms. */
int swp_verify_hazard_form(const swp_schedule *schedule, const swp_hazard *hazard);

/* Outcomes up to `known` are of no interest: the trial may end with any of them once it cannot come to more. */
swp_status swp_verify_try(swp_trials *trials, const swp_hazard *hazard, const swp_edit *edit,
                          swp_trial_outcome known, swp_trial_outcome *out);

#endif
