/* SPDX-License-Identifier: Apache-2.0 */
/* The proofs of a loop, with warp roles or without: of all runs, or of a part. */
#ifndef SWP_VERIFY_ROLES_PROVE_H
#define SWP_VERIFY_ROLES_PROVE_H

#include "ir/roles.h"
#include "verify/roles.h"

/*
 * Decides all numbers of iterations of a form of a loop, or of all of them (-1), with warp roles or without. The judgement of a
 * run goes on behind the hazards that are accepted, which are not marked.
 */
swp_status swp_verify_roles(swp_context *ctx, const swp_schedule *schedule, int form,
                            swp_acceptances accepted, swp_verdict *out);

/*
 * Whether all hazards of a run are told. With warp roles those behind the first kind are not, which it may have brought about.
 */
static inline bool swp_verify_tells_all(const swp_schedule *schedule)
{
    return !swp_ir_has_roles(schedule);
}

/* What becomes of who asks for a proof if that takes too long (swp_verify_role_patience()). */
typedef enum swp_role_need_of_proof {
    SWP_PROOF_ASKED_FOR, /* nothing: it takes as long as it takes */
    SWP_PROOF_NEEDED,    /* another proof has to do, which takes time, too */
    SWP_PROOF_OF_LESS    /* the search goes on without what would have been proven */
} swp_role_need_of_proof;

/* What a proof followed of a form: steps of threads of a run without passes, those of a pass, and passes of the longest run. */
typedef struct swp_role_form_work {
    uint64_t ends;
    uint64_t pass;
    int passes;
} swp_role_form_work;

/* Steps that a proof of all forms follows up to the last run of one; -1: to the end. */
uint64_t swp_verify_role_work_of_all(const swp_schedule *schedule, const swp_role_form_work *works,
                                     int form);

/*
 * The same, which ends with the first run that has a hazard, one of the shortest, or as its need has it. If there is none, `*works`
 * becomes what was followed of each form; NULL: nobody asks. Of one form alone the verdict's work is what a proof of all
 * forms would have followed, where the others are as `*works` says.
 */
swp_status swp_verify_roles_until_unsafe(swp_context *ctx, const swp_schedule *schedule, int form,
                                         swp_role_need_of_proof need, swp_role_form_work *works,
                                         swp_verdict *out);

/* How much a proof tells. */
typedef enum swp_role_extent { SWP_ALL_HAZARDS, SWP_SOME_HAZARD, SWP_ONE_RUN } swp_role_extent;

/* A part of a proof of all forms, for whoever makes many. */
typedef struct swp_role_part {
    swp_role_extent extent;
    const swp_hazard *shown;     /* SWP_ONE_RUN: by the smallest run that shows it */
    uint64_t most_steps;         /* a proof that follows more of them is none: E0702 */
    swp_role_need_of_proof need; /* with output tiles */
} swp_role_part;
swp_status swp_verify_roles_ask(swp_context *ctx, const swp_schedule *schedule, swp_role_part part,
                                swp_acceptances accepted, swp_verdict *out);

/* All hazards of a form (-1: of all forms), by all rules but one, for tests of the proof. */
swp_status swp_verify_roles_without(swp_context *ctx, const swp_schedule *schedule, int form,
                                    swp_happens_rule without, swp_verdict *out);

/* What proves a schedule. */
typedef struct swp_role_prover {
    swp_context *ctx;     /* of the verdict */
    swp_context *scratch; /* of the model, and of all runs */
    swp_role_model model;
    swp_happens_rule without;
    swp_role_part part;
    swp_acceptances accepted;
    swp_key_index known;       /* hazards */
    bool found;                /* some that is not accepted */
    bool is_seen;              /* some run asked for the writes in sight of each read */
    bool is_flat;              /* a loop without warp roles, written as one */
    swp_role_form_work *works; /* of each form; NULL: nobody asks */
    swp_verdict *out;
} swp_role_prover;

/* The parts of it without output tiles: decides all runs of a form (-1: of all forms), or judges the run of a hazard. */
swp_status swp_verify_role_forms(swp_role_prover *v, int form);
swp_status swp_verify_role_shown_run(swp_role_prover *v);

/* The part of it about schedules with output tiles: decides all sequences. */
swp_status swp_verify_role_tiles(swp_role_prover *prover);

/* By role, list, entry and kind. */
void swp_verify_role_sort(swp_hazard_list *hazards);

#endif
