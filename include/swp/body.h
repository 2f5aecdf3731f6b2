/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file body.h  Describing one pass of a loop: body builder, pipes, reorders
 * (docs/descriptions.md, "body" and "reorder"; the published pipeline_dsl).
 */
#ifndef SWP_BODY_H
#define SWP_BODY_H

#include "swp/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What an op of a body may state, with zero for what is left out. `channel` and `k_offset` count
 * for loads; a load without k offsets (single buffer) states SWP_K_NONE.
 */
typedef struct swp_op_args {
    int tag;
    int channel;
    int stage;
    int subtile;
    swp_k_offset k_offset;
} swp_op_args;

/** Collects the logical ops of a body in order (PipelineBody). Its first failure sticks. */
typedef struct swp_body swp_body;

/** Makes a builder, which the context owns. @return NULL if memory ran out. */
SWP_API swp_body *swp_body_new(swp_context *ctx);

/* Append one op each. A fragment load, a store and a COMPUTE have no k offset; a COMPUTE has no channel. */
SWP_API void swp_body_load(swp_body *body, swp_op_args args);
SWP_API void swp_body_store(swp_body *body, swp_op_args args);
SWP_API void swp_body_frag(swp_body *body, swp_op_args args);
SWP_API void swp_body_compute(swp_body *body, swp_op_args args);
SWP_API void swp_body_barrier(swp_body *body);
/** Appends `count` ops that differ only in their subtile, which is 0 to count - 1. */
SWP_API void swp_body_fan(swp_body *body, int count, swp_op_args args);
/** Appends rows * columns COMPUTE ops, row-major: stage = row, subtile = column, no channel. */
SWP_API void swp_body_grid(swp_body *body, int rows, int columns, swp_op_args args);
/** Appends ready-made ops. */
SWP_API void swp_body_extend(swp_body *body, const swp_op *ops, size_t count);
/** Hands out the ops and leaves the body empty. @return the first failure since swp_body_new(). */
SWP_API swp_status swp_body_done(swp_body *body, swp_op_list *ops);

#ifndef __cplusplus
/*
 * These take the tag first, then named arguments: swp_load(b, LOAD_A, .channel = 0, .stage = 1).
 * What is left out is 0: a load without .k_offset is at SWP_K0, a prefetch.
 */
#define swp_load(body, ...) swp_body_load((body), (swp_op_args){.tag = __VA_ARGS__})
#define swp_store(body, ...) swp_body_store((body), (swp_op_args){.tag = __VA_ARGS__})
#define swp_frag(body, ...) swp_body_frag((body), (swp_op_args){.tag = __VA_ARGS__})
#define swp_compute(body, ...) swp_body_compute((body), (swp_op_args){.tag = __VA_ARGS__})
#define swp_fan(body, count, ...) swp_body_fan((body), (count), (swp_op_args){.tag = __VA_ARGS__})
#define swp_grid(body, rows, columns, ...)                                                         \
    swp_body_grid((body), (rows), (columns), (swp_op_args){.tag = __VA_ARGS__})
#endif

/** Appends entries to one phase, numbering their time slots from 0 (EntryBuilder). */
typedef struct swp_entry_builder {
    swp_context *ctx;
    swp_phase phase;
    swp_entry_list entries;
} swp_entry_builder;

SWP_API swp_entry_builder swp_entry_builder_new(swp_context *ctx, swp_phase phase);
SWP_API swp_status swp_entry_builder_emit(swp_entry_builder *builder, swp_op op, bool is_prefetch);

/**
 * mma_block_interleave: puts MMA after MMA, each behind the fragments that its row and column newly
 * need and its share of the loads (docs/descriptions.md, "reorder").
 * @return SWP_INVALID if a fragment or load finds no block, which the diagnostic names.
 */
SWP_API swp_status swp_mma_block_interleave_list(swp_context *ctx, const swp_op *ops, size_t count,
                                                 const swp_pipeline_config *config,
                                                 swp_op_list *out);
/** Applies mma_block_interleave to each half of the body. */
SWP_API swp_status swp_double_buffer_reorder(swp_context *ctx, const swp_op *ops, size_t count,
                                             const swp_pipeline_config *config, swp_op_list *out);
/**
 * Puts the ops into the order of the single-buffer loop, with its two barriers
 * (docs/descriptions.md, "reorder").
 */
SWP_API swp_status swp_single_buffer_reorder(swp_context *ctx, const swp_op *ops, size_t count,
                                             const swp_pipeline_config *config, swp_op_list *out);
/** Orders each barrier-free segment by swp_optimal_schedule() without a register limit. */
SWP_API swp_status swp_optimize_within_barriers(swp_context *ctx, const swp_op *ops, size_t count,
                                                const swp_pipeline_config *config,
                                                swp_op_list *out);

#ifdef __cplusplus
}
#endif
#endif
