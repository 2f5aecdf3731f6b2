/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of runs of output tiles, in the order of the sequences that they cut. */
#ifndef SWP_VERIFY_ROLES_CUTS_H
#define SWP_VERIFY_ROLES_CUTS_H

#include "verify/roles_prove.h"

/* A cut: tiles that are done, and perhaps passes of one that has begun. */
typedef struct swp_role_cut {
    int *n;     /* of each tile that is done */
    int count;  /* of those */
    int passes; /* of the tile that has begun; -1: none has */
    int64_t n_all;
    int rank;   /* of the run that ends here: the rule that it breaks */
    int unsafe; /* how many cuts before, one behind the other, broke one, too */
    int stuck;  /* in how many cuts before no thread came to the end */
    int node;   /* whose cut it is, for whoever numbers them */
} swp_role_cut;

/* Those that have to be looked at: a heap, the first of them on top. */
typedef struct swp_role_cuts {
    const swp_loop_shape *loop;
    swp_role_cut *items;
    size_t count;
    size_t capacity;
} swp_role_cuts;

/* Iterations of the tile that has begun, if it ends as soon as it can. */
int swp_verify_role_least_n(const swp_loop_shape *loop, const swp_role_cut *cut);

swp_status swp_verify_role_put_cut(swp_context *ctx, swp_role_cuts *cuts, swp_role_cut cut);
swp_role_cut swp_verify_role_first_cut(swp_role_cuts *cuts);

/* The cut after a tile more. */
swp_status swp_verify_role_close_tile(swp_context *ctx, const swp_role_cut *before, int n,
                                      swp_role_cut *out);

/* When a proof gives up, by the clock of searches; 0: never. */
typedef struct swp_role_patience {
    const swp_context *ctx;
    double ends;
} swp_role_patience;

/*
 * A proof of less ends with the search of its context. One that is needed goes on for two fifths of the time until all
 * work ends, so that another one, and one of what it proves, have as much; without such an end for as long again as the search.
 */
swp_role_patience swp_verify_role_patience(const swp_context *ctx, swp_role_need_of_proof need);
bool swp_verify_role_has_time(const swp_role_patience *patience);

/* What stands in front of it. */
static inline swp_happens_sequence swp_verify_role_sequence(const swp_role_cut *cut)
{
    return (swp_happens_sequence){
        .n = cut->n, .count = cut->count, .is_cut = true, .passes = cut->passes};
}

/* Finds the kinds of moments for which one thread alone asks. */
swp_status swp_verify_role_find_alone(swp_context *ctx, const swp_role_model *model,
                                      swp_happens_tiles *tiles);

/*
 * Whether a schedule with output tiles is safe by what is known at all cuts between which it does not tell orders apart. If it
 * is not, it may be safe all the same; `*wrong` is a sequence by which it is not, or counts -1 tiles.
 */
swp_status swp_verify_role_common_order(swp_role_prover *prover, const swp_happens_tiles *tiles,
                                        const swp_role_patience *patience, bool *safe,
                                        swp_role_cut *wrong);

#endif
