/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that are GEMMs of the proof's machine: loads to LDS, fragments to registers, MMAs over a grid. */
#ifndef SWP_PIPELINE_GEMM_H
#define SWP_PIPELINE_GEMM_H

#include "ir/loop_dataflow.h"
#include "swp/compile.h"

/* What an op is to that machine. */
typedef struct swp_gemm_op {
    swp_role role;
    int channel; /* of a load and a fragment: 0 is A */
    int subtile; /* of a load and a fragment; the column of an MMA */
    int row;     /* of an MMA */
    int value;   /* of a load and a fragment: the one in shared memory */
} swp_gemm_op;

typedef struct swp_gemm {
    swp_gemm_op *ops;
    int rows;
    int columns;
    const char *why_not; /* NULL: it is one */
} swp_gemm;

/* Recognises it by dataflow alone. */
swp_status swp_pipeline_gemm_recognise(swp_context *ctx, const swp_loop *loop, const int *slots,
                                       swp_gemm *out);

/*
 * Another pipeline, whose MMAs are all within one interval: of the same interval if there is one, with
 * the same slots or else with more of shared values; otherwise of a longer one. What is no longer known to be least is
 * no longer called proven. `*done` is false where there is none.
 */
swp_status swp_pipeline_gemm_gather(swp_context *ctx, const swp_gemm *gemm, swp_pipeline *pipeline,
                                    bool *done);

/*
 * Moves the begin of an iteration so that all MMAs are in its last stage, in as few stages as that
 * takes, keeping the cycle of every op within the interval. `*done` is false where nothing does.
 */
swp_status swp_pipeline_gemm_align(swp_context *ctx, const swp_gemm *gemm, swp_pipeline *pipeline,
                                   bool *done);

#endif
