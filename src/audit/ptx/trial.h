/* SPDX-License-Identifier: Apache-2.0 */
/* The trial of a kernel: what its runs have shown so far, and what the report says of them. */
#ifndef SWP_AUDIT_PTX_TRIAL_H
#define SWP_AUDIT_PTX_TRIAL_H

#include "audit/ptx/run.h"
#include "swp/audit.h"

enum {
    SWP_PTX_MOST_PASSES = 31,          /* values of an argument that are run, from 0 */
    SWP_PTX_MOST_ALL_STEPS = 16000000, /* of a kernel's runs together… */
    SWP_PTX_MOST_PROOF_STEPS =
        4 * SWP_PTX_MOST_ALL_STEPS, /* …where they may show that it is in order, … */
    SWP_PTX_MOST_LAUNCH_STEPS =
        4 * SWP_PTX_MOST_PROOF_STEPS /* …and of all work groups of a launch */
};

typedef struct swp_ptx_trial {
    swp_context *ctx;
    const char *file;
    const swp_ptx_module *module;
    const swp_ptx_kernel *kernel;
    swp_audit_report *out;
    swp_ptx_arguments arguments;
    swp_ptx_sums sums;
    swp_ptx_places places;
    swp_ptx_places sources;
    bool concerned; /* it accesses shared memory, or orders threads */
    bool restarts;  /* another argument turned out to be needed */
    bool ends;      /* a fault, or a doubt */
    bool scouts;    /* this run only looks where copies write */
    bool too_long;  /* a run is not followed to its end */
    /* Of a launch whose work groups are all judged: how many this run is for, from the one that its argument has on. */
    int width;
    bool splits; /* they do not all go one way */
    bool unlike; /* longer runs of some work group are not shown to be like shorter ones */
    int64_t
        most; /* the greatest value of the argument that is not stated for which the answer holds; 0: there is none */
    uint64_t random;
    int64_t most_steps; /* of a run; 0: as many as are followed */
    int64_t steps;
    int64_t last_steps; /* of the last run */
    int runs;           /* that ended */
    int undecided;
    int unfenced_init;
} swp_ptx_trial;

/* Something that goes wrong in a run. */
swp_status swp_ptx_add_finding(swp_ptx_trial *t, const swp_ptx_finding *found, bool certain);

/* What stands in the way of an answer, at an instruction; -1: of the kernel as a whole. */
swp_status swp_ptx_add_note(const swp_ptx_trial *t, int insn, const char *why);

/* How many arguments decide the flow that may have any value. */
int swp_ptx_count_free(const swp_ptx_trial *t);

/* An argument that is not stated is 0: what a run shows then is not certain. */
bool swp_ptx_has_zero(const swp_ptx_trial *t);

/* Of what is not shown, and what is taken for given. */
swp_status swp_ptx_tell_limits(swp_ptx_trial *t);

#endif
