/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file program.h  Blocks around one MMA each, and the program of a double-buffered kernel
 * (docs/schedules.md; the published program and program_builder).
 */
#ifndef SWP_PROGRAM_H
#define SWP_PROGRAM_H

#include "swp/body.h"
#include "swp/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A global load of a block. */
typedef struct swp_block_load {
    swp_op op;
    bool is_prefetch;
} swp_block_load;

typedef struct swp_block_load_list {
    swp_block_load *items;
    size_t count;
    size_t capacity;
} swp_block_load_list;

/* The flags of a block: X(name, default). */
#define SWP_BLOCK_FLAGS(X)                                                                         \
    X(pre_mma_barrier, true)                                                                       \
    X(pre_mma_set_prio, true)                                                                      \
    X(post_mma_barrier, true)                                                                      \
    X(post_mma_set_prio, true)                                                                     \
    X(post_barrier_lgkm, true)                                                                     \
    X(post_barrier_sched, false)                                                                   \
    X(trailing_sched_barrier, false)                                                               \
    X(drain_lgkm_before_loads, false)                                                              \
    X(global_before_frag, false)                                                                   \
    X(barrier_before_pre_ops, false)                                                               \
    X(wrap_waits_with_sched_barrier, false)

/**
 * One MMA with the loads and waits before it (MMABlockSpec). The published two slots of fragment
 * and of global loads are lists here: a block holds any number.
 */
typedef struct swp_mma_block {
    swp_op mma;
    swp_op fused_mma;       /**< a second MMA right after it, or none */
    swp_op entry_wait;      /**< wait_vm or none */
    swp_op entry_wait_lgkm; /**< wait_lgkm or none */
    swp_op pre_sync;        /**< a wait or none */
    swp_op_list frags;
    swp_block_load_list globals;
#define SWP_MEMBER(name, value) bool name;
    SWP_BLOCK_FLAGS(SWP_MEMBER)
#undef SWP_MEMBER
} swp_mma_block;

/** Returns a block of one MMA with every flag at its default and nothing else. */
SWP_API swp_mma_block swp_mma_block_new(swp_op mma);

/** Appends the ops that the block's template gives, with `is_prefetch` on prefetch loads. */
SWP_API swp_status swp_mma_block_expand(const swp_mma_block *block, swp_entry_builder *out);

/** Returns how many entries swp_mma_block_expand() appends. */
SWP_API int swp_mma_block_entry_count(const swp_mma_block *block);
/** Returns which of them is the MMA. */
SWP_API int swp_mma_block_mma_position(const swp_mma_block *block);

typedef struct swp_mma_block_list {
    swp_mma_block *items;
    size_t count;
    size_t capacity;
} swp_mma_block_list;

typedef struct swp_op_lists {
    swp_op_list *items;
    size_t count;
    size_t capacity;
} swp_op_lists;

/** Appends a list. @return SWP_OK or SWP_OUT_OF_MEMORY. */
SWP_API swp_status swp_op_lists_push(swp_context *ctx, swp_op_lists *lists, swp_op_list ops);

/**
 * The blocks of a kernel pass (PipelineProgram). `explicit_blocks` is empty, or has one list per
 * block, emitted as it is; an empty inner list falls back to the template.
 */
typedef struct swp_program {
    swp_mma_block_list blocks;
    swp_op_lists explicit_blocks;
    bool trailing_barrier; /**< a barrier after the last block */
} swp_program;

/** Returns the position of a block's first entry. */
SWP_API int swp_program_block_start(const swp_program *program, size_t block);
/** expand_to_list: appends the entries of all blocks as a phase. */
SWP_API swp_status swp_program_expand_to_list(swp_context *ctx, const swp_program *program,
                                              swp_phase phase, swp_entry_list *entries);

/** emit_minimal_barrier_block: gives the block's ops for an explicit list (docs/schedules.md, "Expansion"). */
SWP_API swp_status swp_emit_minimal_barrier_block(swp_context *ctx, const swp_mma_block *block,
                                                  bool wrap_waits, bool global_before_frag,
                                                  swp_op_list *ops);

/** Waits that the blocks' loads call for. */
typedef struct swp_derived_waits {
    int wait_lgkm_first;
    int wait_vm_last;
} swp_derived_waits;

/**
 * derive_waits_from_blocks: counts what the blocks' loads call for (docs/schedules.md, "Derived
 * waits").
 * @param lgkm_a, lgkm_b  accesses of a fragment if the config's are 0
 */
SWP_API swp_derived_waits swp_derive_waits_from_blocks(const swp_program *program,
                                                       const swp_pipeline_config *config,
                                                       int lgkm_a, int lgkm_b);

/**
 * verify_schedule: checks what docs/schedules.md lists under "What is checked". Every failure gets
 * a diagnostic.
 */
SWP_API swp_status swp_verify_schedule(swp_context *ctx, const swp_program *program,
                                       const swp_pipeline_config *config,
                                       const swp_schedule_config *sched);

/** A finished program and how it came about. */
typedef struct swp_built_program {
    swp_program program;
    swp_solution solution;
    swp_derived_waits waits; /**< in use: derived or manual */
} swp_built_program;

/**
 * construct_mma_blocks: makes blocks from an ordered body (docs/schedules.md, "Blocks").
 * @return SWP_INVALID for ops that no block can hold, which the diagnostic names.
 */
SWP_API swp_status swp_construct_mma_blocks(swp_context *ctx, const swp_op *ordered, size_t count,
                                            const swp_pipeline_config *config,
                                            const swp_schedule_config *sched, swp_program *out);

/** Moves global loads until no block has more than max_globals (docs/schedules.md, "Redistribution"). */
SWP_API swp_status swp_redistribute_globals(swp_context *ctx, swp_program *program, int max_globals,
                                            uint64_t drain_lgkm_mask);

/**
 * build_kernel_program: does order, blocks, redistribution, waits, drains and structural checks.
 * @param edges  NULL: swp_derive_edges_from_ops()
 */
SWP_API swp_status swp_build_kernel_program(swp_context *ctx, const swp_op *body, size_t count,
                                            const swp_pipeline_config *config,
                                            const swp_schedule_config *sched,
                                            const swp_edge_list *edges, swp_built_program *out);

#ifdef __cplusplus
}
#endif
#endif
