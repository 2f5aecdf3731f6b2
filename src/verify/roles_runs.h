/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of the forms of a loop, as far as they have been followed, and when no more of them need be. */
#ifndef SWP_VERIFY_ROLES_RUNS_H
#define SWP_VERIFY_ROLES_RUNS_H

#include "verify/roles_prove.h"

/* A form, and how far it has been followed. */
typedef struct swp_role_form_proof {
    swp_schedule schedule;
    swp_happens_program program;
    swp_happens_span span;
    int last;     /* passes of the longest run that has to be judged; -1: not known yet */
    int period;   /* passes after which the order comes back; 0: it is not known to */
    int explored; /* passes of the longest one so far */
    bool is_open; /* its order did not come back */
} swp_role_form_proof;

/* The passes of the forms that have some, which all of them share. */
typedef struct swp_role_shared_passes {
    bool is_there;
    swp_happens_run run;
    swp_role_progress progress;
    const swp_happens_program **forms;
    int form_count;
    swp_role_lists_reach reach;
    swp_key_index states; /* of cuts, by the passes before them */
} swp_role_shared_passes;

/* Behind a cut that is as an earlier one was, longer runs have the hazards of shorter ones. */
swp_status swp_verify_role_end_alike(swp_role_prover *v, swp_role_form_proof *forms,
                                     swp_role_shared_passes *shared);

/* Passes by which the order of any form should have come back, whatever it is. */
int swp_verify_role_most_passes(const swp_role_form_proof *f);
/* Whether as many steps have been followed as there may be. */
bool swp_verify_role_is_too_much(const swp_role_prover *v);
/* What has been found is true, whatever else there may be. What is accepted leaves the question open: E0702. */
swp_status swp_verify_role_check_end(const swp_role_prover *v, const swp_role_form_proof *forms,
                                     int count);

#endif
