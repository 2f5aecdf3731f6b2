/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file reference.h  Functions of the published package that nothing else in this library uses.
 *
 * They are for code that is ported from it, name by name (docs/mapping.md). Nothing here is needed
 * to describe, compile or judge a schedule.
 */
#ifndef SWP_REFERENCE_H
#define SWP_REFERENCE_H

#include "swp/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Settings ---- */

#define SWP_MEMBER(kind, name, ...) SWP_TYPE_##kind name;
/** Groups of ScheduleConfig fields (docs/settings.md, "schedule"): barriers, waits, loads. */
typedef struct swp_barrier_strategy {
    SWP_BARRIER_STRATEGY_FIELDS(SWP_MEMBER)
} swp_barrier_strategy;
typedef struct swp_wait_strategy {
    SWP_WAIT_STRATEGY_FIELDS(SWP_MEMBER)
} swp_wait_strategy;
typedef struct swp_load_strategy {
    SWP_LOAD_STRATEGY_FIELDS(SWP_MEMBER)
} swp_load_strategy;
#undef SWP_MEMBER

/** Return each group with the defaults of its table. */
SWP_API swp_barrier_strategy swp_barrier_strategy_default(void);
SWP_API swp_wait_strategy swp_wait_strategy_default(void);
SWP_API swp_load_strategy swp_load_strategy_default(void);

/** Returns minimal barriers without set_prio; the published default of the mask is 0. */
SWP_API swp_barrier_strategy swp_barrier_strategy_minimal_no_set_prio(uint64_t sched_barrier_mask);
/** Returns derived waits, with an LDS drain on entry of every block that has no wait of its own. */
SWP_API swp_wait_strategy swp_wait_strategy_auto_with_inter_block_drain(void);

/** from_strategies: joins a ScheduleConfig from its parts; max_vgpr is unlimited. */
SWP_API swp_schedule_config swp_schedule_config_from_strategies(swp_strategy scheduling,
                                                                const swp_barrier_strategy *barrier,
                                                                const swp_wait_strategy *wait,
                                                                const swp_load_strategy *load);

/** uniform(n): returns n slots in every block, without a limit of its own on global loads. */
SWP_API swp_block_sizing swp_block_sizing_uniform(int slots);

/** Return derived figures of a PipelineConfig (docs/settings.md, "pipeline"). */
SWP_API int swp_globals_per_partition(const swp_pipeline_config *config);
SWP_API int swp_frags_per_partition(const swp_pipeline_config *config);
SWP_API int swp_ops_per_partition(const swp_pipeline_config *config);
SWP_API int swp_total_ops(const swp_pipeline_config *config);
/** Computes the published formula, which is right for 2x2 and two partitions only; count real edges instead. */
SWP_API int swp_total_edges(const swp_pipeline_config *config);

/* ---- Pipes ---- */

/** A sequence of ops that grows by chaining (Pipe). */
typedef struct swp_pipe swp_pipe;

/** Makes an empty pipe, which the context owns; returns NULL if memory ran out. */
SWP_API swp_pipe *swp_pipe_new(swp_context *ctx);
/** Appends an op and returns the pipe; a failure sticks until swp_pipe_ops(). */
SWP_API swp_pipe *swp_pipe_then(swp_pipe *pipe, swp_op op);
/** Appends the ops of another pipe and returns the first. */
SWP_API swp_pipe *swp_pipe_join(swp_pipe *pipe, const swp_pipe *other);
/** annotate_pipe: stamps costs on its ops and returns it. */
SWP_API swp_pipe *swp_annotate_pipe(swp_pipe *pipe, const swp_cost_model *model);
/** Copies its ops. */
SWP_API swp_status swp_pipe_ops(const swp_pipe *pipe, swp_op_list *ops);
/** Appends its ops as entries of a phase, time slots from `offset` on. */
SWP_API swp_status swp_pipe_entries(const swp_pipe *pipe, swp_phase phase, int offset,
                                    swp_entry_list *entries);

/** Does what swp_mma_block_interleave_list() does, on pipes; returns NULL on failure, with a diagnostic. */
SWP_API swp_pipe *swp_mma_block_interleave(swp_context *ctx, const swp_pipe *pipe,
                                           const swp_pipeline_config *config);

/* ---- Graphs and programs ---- */

/** Computes latest starts in cycles that end by `makespan`. The graph must be valid. */
SWP_API swp_status swp_loop_body_compute_alap(swp_context *ctx, const swp_loop_body *body,
                                              int64_t makespan, int64_t *alap);

/** Returns which entry of a block is the wait_lgkm(0) after the pre-MMA barrier, or -1 if there is none. */
SWP_API int swp_mma_block_post_barrier_lgkm_position(const swp_mma_block *block);
/** Returns how many entries all blocks have together. */
SWP_API int swp_program_total_entries(const swp_program *program);
/** Returns the position of a block's MMA, or -1 if an explicit list has none. */
SWP_API int swp_program_mma_entry(const swp_program *program, size_t block);

/** derive_safe_max_globals: returns 1 with two MMAs along K or more, else 0. */
SWP_API int swp_derive_safe_max_globals(int num_k_mmas);

/** derive_drain_mask: sets bit i if block i has fragments of another channel than its first load. */
SWP_API uint64_t swp_derive_drain_mask(const swp_program *program);

/* ---- Schedules as readable text (the debug module): owned by the context, ending with a newline ---- */

/** Writes one line: prefix (NULL: none), index, name, slot, subtile, k offset, wait, prefetch mark. */
SWP_API swp_status swp_dump_entry(swp_context *ctx, const char *prefix, const swp_entry *entry,
                                  const swp_op_namer *namer, char **text);

/** Writes a phase header, then a line for each entry. */
SWP_API swp_status swp_dump_phase(swp_context *ctx, const char *title,
                                  const swp_entry_list *entries, const swp_op_namer *namer,
                                  char **text);

/** dump_program_blocks: writes what each block holds: waits, loads, MMA, flags. */
SWP_API swp_status swp_dump_program_blocks(swp_context *ctx, const swp_program *program,
                                           const swp_op_namer *namer, char **text);

#ifdef __cplusplus
}
#endif
#endif
