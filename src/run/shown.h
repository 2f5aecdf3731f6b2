/* SPDX-License-Identifier: Apache-2.0 */
/* Whether, and how plainly, a run shows a hazard. */
#ifndef SWP_RUN_SHOWN_H
#define SWP_RUN_SHOWN_H

#include "swp/run.h"

/* What a hazard of this kind makes visible. */
swp_symptom swp_run_symptom_of(swp_hazard_kind kind);

/* What shows a hazard of this kind where no number goes wrong; the same if there is nothing else. */
swp_symptom swp_run_lesser_symptom_of(swp_hazard_kind kind);

typedef enum swp_run_plainness {
    SWP_RUN_NOT_SHOWN,
    SWP_RUN_SHOWN_RIGHT,  /* its lesser symptom is there, but every number is right */
    SWP_RUN_SHOWN,        /* its symptom is there */
    SWP_RUN_SHOWN_AMONG,  /* and one of its accesses is the first that went wrong */
    SWP_RUN_SHOWN_PLAINLY /* and they are the two that met in the wrong order first */
} swp_run_plainness;

swp_run_plainness swp_run_shows(const swp_hazard *hazard, const swp_run_outcome *outcome);

#endif
