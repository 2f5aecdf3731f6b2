/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file phase.h  Prologue, kernel and epilogue (docs/schedules.md; the published phase_derivation).
 */
#ifndef SWP_PHASE_H
#define SWP_PHASE_H

#include "swp/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * derive_prologue_from_program: makes the prefetch loads by slot, with their waits. It replaces the
 * published default_prologue_double_buffer(), which read the unordered body.
 * @param bootstrap  fragment loads at its end, used with partial_prologue_drain only; NULL: none
 */
SWP_API swp_status swp_derive_prologue_from_program(swp_context *ctx, const swp_program *program,
                                                    const swp_pipeline_config *config,
                                                    const swp_schedule_config *sched,
                                                    const swp_op_list *bootstrap,
                                                    swp_entry_list *prologue);

/** derive_epilogue_from_program: makes a pass without the loads of a later iteration. */
SWP_API swp_status swp_derive_epilogue_from_program(swp_context *ctx, const swp_program *program,
                                                    const swp_pipeline_config *config,
                                                    swp_entry_list *epilogue);

/** Derives the kernel deps of a double buffer: first sync and first wait_lgkm to MMA 0, MMA 0 to 1 to 2. */
SWP_API swp_status swp_derive_kernel_deps(swp_context *ctx, const swp_program *program,
                                          const swp_pipeline_config *config,
                                          const swp_entry_list *kernel, swp_edge_list *deps);

typedef enum swp_step_kind {
    SWP_STEP_EMIT, /**< ops of a kind, taken from the body */
    SWP_STEP_BARRIER,
    SWP_STEP_FENCE /**< a schedule_barrier */
} swp_step_kind;

/** Which ops of the kind a step emits. */
typedef enum swp_step_select {
    SWP_SELECT_ALL,
    SWP_SELECT_LOOP_CARRIED,     /**< only the loop-carried ones */
    SWP_SELECT_NOT_LOOP_CARRIED, /**< all others */
    SWP_SELECT_SUBTILE           /**< those of `subtile` */
} swp_step_select;

/** One step of a phase recipe (PhaseStep). */
typedef struct swp_phase_step {
    swp_step_kind kind;
    swp_role role;
    swp_step_select select;
    int subtile;     /**< for SWP_SELECT_SUBTILE */
    bool first_only; /**< the first such op instead of all */
} swp_phase_step;

/** Return the recipes of the single-buffer loop. */
SWP_API const swp_phase_step *swp_single_buffer_prologue_recipe(size_t *count);
SWP_API const swp_phase_step *swp_single_buffer_epilogue_recipe(size_t *count);

/** apply_phase_recipe: makes the entries of a recipe over a body. */
SWP_API swp_status swp_apply_phase_recipe(swp_context *ctx, const swp_phase_step *recipe,
                                          size_t steps, const swp_op *body, size_t count,
                                          const swp_pipeline_config *config, swp_phase phase,
                                          swp_entry_list *entries);

/** Returns how many prologue entries group 1 runs before its extra barrier (docs/schedules.md, "Stagger"). */
SWP_API int swp_warp_stagger_index(const swp_op *body, size_t count,
                                   const swp_pipeline_config *config, size_t prologue_length);

/** Synchronisation of a phase, counted. */
typedef struct swp_sync_counts {
    int vm_waits;
    int lgkm_waits;
    int merged_waits; /**< vm waits directly followed by an lgkm wait: one instruction */
    int barriers;
    int schedule_barriers;
} swp_sync_counts;

SWP_API swp_sync_counts swp_count_sync(const swp_entry_list *entries);

#ifdef __cplusplus
}
#endif
#endif
