/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file config.h  What a pipeline is built for and how it is scheduled (docs/settings.md).
 *
 * Each struct is one table of rows
 *     X(kind, name, default, least, most, unit, meaning)
 * from which the struct, its defaults, the parsing of `--set` and YAML, range checks, JSON output,
 * `--help` and the manual follow (fields.h). Ranges count for INT rows only.
 */
#ifndef SWP_CONFIG_H
#define SWP_CONFIG_H

#include "swp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SWP_STRATEGIES(X)                                                                          \
    X(SWP_IDENTITY, 0, "identity") /* declaration order, unchecked */                              \
    X(SWP_GREEDY, 1, "greedy")     /* declaration order where that is legal */                     \
    X(SWP_CSP, 2, "csp")           /* exact: least makespan, then least register peak */

#define SWP_FRAG_ORDERS(X)                                                                         \
    X(SWP_B_BEFORE_A, 0, "b_before_a")                                                             \
    X(SWP_A_BEFORE_B, 1, "a_before_b")

#define SWP_SYNC_MODES(X)                                                                          \
    X(SWP_SYNC_TEMPLATE, 0, "template") /* the published waits and barriers */                     \
    X(SWP_SYNC_DERIVED, 1, "derived")   /* from the dataflow, and thinned out by the proof */

#define SWP_SYNC_GOALS(X)                                                                          \
    X(SWP_SYNC_CYCLES, 0, "cycles")     /* few cycles a pass, with no more barriers than before */ \
    X(SWP_SYNC_BARRIERS, 1, "barriers") /* the fewest barriers a pass, exactly */

#define SWP_STAGGER_RULES(X)                                                                       \
    X(SWP_STAGGER_NONE, 0, "none")                                                                 \
    X(SWP_STAGGER_AUTO, 1, "auto") /* the number of prefetch loads to slot 0 in the body */        \
    X(SWP_STAGGER_FIXED, 2, "fixed")

#define SWP_BARRIER_KINDS(X)                                                                       \
    X(SWP_BARRIER_RAW, 0, "raw")       /* waits for nothing */                                     \
    X(SWP_BARRIER_FENCED, 1, "fenced") /* wait_lgkm(0), then the barrier */

#define SWP_REGISTER_MODES(X)                                                                      \
    X(SWP_REGISTERS_MANAGED, 0, "managed") /* a compiler below waits on the counter of a load */   \
    X(SWP_REGISTERS_RAW, 1, "raw")         /* nobody waits */                                      \
    X(SWP_REGISTERS_SCOREBOARD, 2, "scoreboard") /* hardware waits for the load, and no other */

#define SWP_COUNTER_FULL_MODES(X)                                                                  \
    X(SWP_COUNTER_STALLS, 0, "stall")                                                              \
    X(SWP_COUNTER_WRAPS, 1, "wraps")

#define SWP_PLACEMENTS(X)                                                                          \
    X(SWP_PLACE_K_OFFSET, 0, "k_offset")   /* a load fetches the tile at kb + its k offset */      \
    X(SWP_PLACE_NEXT_TILE, 1, "next_tile") /* each load fetches the tile after the last one */

typedef enum swp_strategy { SWP_STRATEGIES(SWP_NUMBERED) } swp_strategy;
typedef enum swp_frag_order { SWP_FRAG_ORDERS(SWP_NUMBERED) } swp_frag_order;
typedef enum swp_sync_mode { SWP_SYNC_MODES(SWP_NUMBERED) } swp_sync_mode;
typedef enum swp_sync_goal { SWP_SYNC_GOALS(SWP_NUMBERED) } swp_sync_goal;
typedef enum swp_stagger_rule { SWP_STAGGER_RULES(SWP_NUMBERED) } swp_stagger_rule;
typedef enum swp_barrier_kind { SWP_BARRIER_KINDS(SWP_NUMBERED) } swp_barrier_kind;
typedef enum swp_register_mode { SWP_REGISTER_MODES(SWP_NUMBERED) } swp_register_mode;
typedef enum swp_counter_full { SWP_COUNTER_FULL_MODES(SWP_NUMBERED) } swp_counter_full;
typedef enum swp_placement { SWP_PLACEMENTS(SWP_NUMBERED) } swp_placement;

/** Which op of the body belongs to the iteration before (LoopCarriedSpec): kind and subtile. */
typedef struct swp_loop_carried {
    swp_role role;
    int selector; /**< the subtile that marks the op */
} swp_loop_carried;

/** Where warp group 1 falls one barrier behind group 0 (WarpStaggerRule). */
typedef struct swp_warp_stagger {
    swp_stagger_rule rule;
    int amount; /**< prologue entries, for SWP_STAGGER_FIXED */
} swp_warp_stagger;

/* The C type of each kind of row. */
#define SWP_TYPE_INT int
#define SWP_TYPE_BOOL bool
#define SWP_TYPE_MASK uint64_t
#define SWP_TYPE_STRATEGY swp_strategy
#define SWP_TYPE_SYNC_MODE swp_sync_mode
#define SWP_TYPE_SYNC_GOAL swp_sync_goal
#define SWP_TYPE_FRAG_ORDER swp_frag_order
#define SWP_TYPE_LOOP_CARRIED swp_loop_carried
#define SWP_TYPE_STAGGER swp_warp_stagger
#define SWP_TYPE_BARRIER_KIND swp_barrier_kind
#define SWP_TYPE_REGISTER_MODE swp_register_mode
#define SWP_TYPE_COUNTER_FULL swp_counter_full

#define SWP_DEFAULT_LOOP_CARRIED ((swp_loop_carried){SWP_ROLE_NONE, 0})
#define SWP_DEFAULT_STAGGER ((swp_warp_stagger){SWP_STAGGER_NONE, 0})
#define SWP_MOST_CYCLES 1000000
#define SWP_MOST_SHARED_BYTES 1000000000
#define SWP_MOST_LANE_REGISTERS 65536
#define SWP_MOST_ACCESSES 65535
#define SWP_NO_VGPR_LIMIT 999999
#define SWP_NO_WAIT_LGKM_FIRST 255

/* clang-format off */
#define SWP_BLOCK_SIZING_FIELDS(X) \
    X(INT, heavy, 4, 0, 1024, "ops", "in a block whose MMA opens a new row, that MMA included") \
    X(INT, light, 2, 0, 1024, "ops", "in every other block, its MMA included") \
    X(INT, max_globals, 0, 0, 1024, "loads", "most global loads in a block; 0: no limit")

#define SWP_PIPELINE_CONFIG_FIELDS(X) \
    X(INT, depth, 2, 1, 1024, "slots", "1 with num_partitions 1 (single buffer), 2 with num_partitions 2 (double buffer)") \
    X(INT, prefetch, 1, 0, 1024, "iterations", "how far loads run ahead; nothing reads it") \
    X(INT, drain_passes, 2, 0, 1024, "passes", "epilogue passes; nothing reads it") \
    X(INT, prologue_fill, 1, 0, 1024, "passes", "prologue passes; nothing reads it") \
    X(LOOP_CARRIED, loop_carried, SWP_DEFAULT_LOOP_CARRIED, 0, 0, "", "which fragment, and its COMPUTE, belongs to the iteration before; N is its subtile") \
    X(FRAG_ORDER, frag_order, SWP_B_BEFORE_A, 0, 0, "", "which operand's fragment comes first in a block") \
    X(INT, m_mmas, 2, 1, 64, "MMAs", "rows of the MMA grid of a partition") \
    X(INT, n_mmas, 2, 1, 64, "MMAs", "columns of the MMA grid of a partition") \
    X(INT, num_partitions, 2, 1, 1024, "partitions", "halves of the body") \
    X(BOOL, mma_serial, true, 0, 0, "", "MMAs issue one after the other; nothing reads it") \
    X(INT, mma_latency, 16, 0, SWP_MOST_CYCLES, "cycles", "of an MMA; nothing reads it, the cost model decides") \
    X(INT, vm_per_load_a, 4, 0, SWP_MOST_ACCESSES, "accesses", "vmcnt accesses of one load of A") \
    X(INT, vm_per_load_b, 4, 0, SWP_MOST_ACCESSES, "accesses", "vmcnt accesses of one load of B") \
    X(INT, ch0_match_field, 0, 0, 1, "", "A fragments feed MMAs of their 0: row, 1: column") \
    X(INT, ch1_match_field, 1, 0, 1, "", "B fragments feed MMAs of their 0: row, 1: column") \
    X(STAGGER, warp_stagger, SWP_DEFAULT_STAGGER, 0, 0, "", "prologue entries before group 1 falls behind") \
    X(INT, lgkm_per_load_a, 0, 0, SWP_MOST_ACCESSES, "accesses", "lgkmcnt accesses of one fragment of A; 0: unset") \
    X(INT, lgkm_per_load_b, 0, 0, SWP_MOST_ACCESSES, "accesses", "lgkmcnt accesses of one fragment of B; 0: unset") \
    X(BOOL, cross_stage_rotation, false, 0, 0, "", "fragments of subtile 0 may read the other half's slot")

#define SWP_BARRIER_STRATEGY_FIELDS(X) \
    X(MASK, sched_barrier_mask, 0x55, 0, 0, "", "bit i: a schedule_barrier after block i") \
    X(BOOL, minimal_barriers, false, 0, 0, "", "no barriers around MMAs; only those that entry waits need") \
    X(BOOL, omit_mma_set_prio, false, 0, 0, "", "no set_prio before MMAs; needs minimal_barriers") \
    X(BOOL, barrier_before_pre_ops, false, 0, 0, "", "the sync section of a block stands before its loads") \
    X(BOOL, wrap_waits_with_sched_barrier, false, 0, 0, "", "schedule_barriers around every group of waits")

#define SWP_WAIT_STRATEGY_FIELDS(X) \
    X(BOOL, auto_waits, true, 0, 0, "", "derive wait_lgkm_first and wait_vm_last from the blocks") \
    X(INT, wait_lgkm_first, 8, 0, 255, "accesses", "lgkmcnt wait of a half's first block; 255: none") \
    X(INT, wait_vm_last, 6, 0, SWP_MOST_ACCESSES, "accesses", "vmcnt wait of a half's last block") \
    X(INT, lgkm_per_load_a, 0, 0, SWP_MOST_ACCESSES, "accesses", "stands in for the pipeline's where that is 0") \
    X(INT, lgkm_per_load_b, 0, 0, SWP_MOST_ACCESSES, "accesses", "stands in for the pipeline's where that is 0") \
    X(BOOL, lgkm_after_last, false, 0, 0, "", "wait_lgkm(0) after the barrier of a half's last block") \
    X(BOOL, inter_block_lgkm_drain, false, 0, 0, "", "wait_lgkm(0) on entry of the blocks without a wait of their own") \
    X(BOOL, partial_prologue_drain, false, 0, 0, "", "the prologue waits fragment by fragment (bootstrap) instead of for all loads")

#define SWP_LOAD_STRATEGY_FIELDS(X) \
    X(MASK, drain_lgkm_mask, 0, 0, 0, "", "bit i: wait_lgkm(0) between fragments and loads of block i") \
    X(BOOL, auto_drain, false, 0, 0, "", "derive drain_lgkm_mask; needs auto_waits") \
    X(BOOL, global_before_frag, false, 0, 0, "", "global loads stand before fragment loads in a block") \
    X(INT, lds_contention_penalty, 0, 0, SWP_MOST_CYCLES, "cycles", "LDS port busy after each LDS or global op; 0: port not modelled")

#define SWP_SCHEDULE_CONFIG_FIELDS(X) \
    X(STRATEGY, scheduling, SWP_IDENTITY, 0, 0, "", "how the body is ordered") \
    X(INT, max_vgpr, SWP_NO_VGPR_LIMIT, 0, SWP_NO_VGPR_LIMIT, "registers", "register budget of csp; 999999: no limit") \
    X(SYNC_MODE, sync, SWP_SYNC_TEMPLATE, 0, 0, "", "where waits and barriers come from") \
    X(SYNC_GOAL, sync_goal, SWP_SYNC_CYCLES, 0, 0, "", "what derived sync saves") \
    X(BOOL, sync_pace, false, 0, 0, "", "derived sync keeps a barrier on each side of every MMA") \
    SWP_BARRIER_STRATEGY_FIELDS(X) \
    SWP_WAIT_STRATEGY_FIELDS(X) \
    SWP_LOAD_STRATEGY_FIELDS(X)

/* docs/settings.md, "machine". */
#define SWP_MACHINE_FIELDS(X) \
    X(INT, groups, 1, 1, 2, "groups", "warp groups of a work group") \
    X(INT, waves_per_group, 4, 1, 64, "waves", "waves of each warp group") \
    X(INT, lag, 0, 0, 1, "barriers", "how many barriers group 1 runs behind group 0") \
    X(INT, lag_prologue_index, 0, 0, SWP_MOST_ACCESSES, "entries", "prologue entries before group 1's extra barrier") \
    X(BOOL, lag_end_barrier, true, 0, 0, "", "group 0 runs one more barrier at the end, where there is a lag") \
    X(BARRIER_KIND, barrier, SWP_BARRIER_RAW, 0, 0, "", "whether a barrier first waits for the wave's own LDS operations") \
    X(REGISTER_MODE, registers, SWP_REGISTERS_MANAGED, 0, 0, "", "who waits for a register before its use") \
    X(INT, vm_max, 63, 1, SWP_MOST_ACCESSES, "accesses", "largest value of vmcnt") \
    X(INT, lgkm_max, 15, 1, SWP_MOST_ACCESSES, "accesses", "largest value of lgkmcnt") \
    X(COUNTER_FULL, counter_full, SWP_COUNTER_STALLS, 0, 0, "", "what an access beyond a counter's largest value does") \
    X(INT, barrier_cycles, 0, 0, SWP_MOST_CYCLES, "cycles", "a barrier takes after the last group arrives") \
    X(INT, issue_cycles, 1, 0, SWP_MOST_CYCLES, "cycles", "between two entries of a group") \
    X(INT, wait_cycles, 0, 0, SWP_MOST_CYCLES, "cycles", "after a wait until its group's next entry, at least issue_cycles") \
    X(INT, arrive_cycles, 0, 0, SWP_MOST_CYCLES, "cycles", "the same after an arrival of a warp role") \
    X(INT, fence_cycles, 0, 0, SWP_MOST_CYCLES, "cycles", "the same after a proxy fence") \
    X(BOOL, fence_reads, true, 0, 0, "", "a place that ordinary instructions read needs a proxy fence before an asynchronous operation overwrites it")

/* What the scheduling hints of the single-buffer matmul are counted from (docs/settings.md, "hints and num_k_tiles"). */
#define SWP_MMA_HINTS_FIELDS(X) \
    X(INT, m_mmas, 4, 1, 1024, "MMAs", "rows of MMAs of a wave") \
    X(INT, n_mmas, 4, 1, 1024, "MMAs", "columns of MMAs of a wave") \
    X(INT, k_mmas, 2, 1, 1024, "MMAs", "MMAs along K in a tile") \
    X(INT, mma_m, 16, 1, 1024, "rows", "of one MMA") \
    X(INT, mma_n, 16, 1, 1024, "columns", "of one MMA") \
    X(INT, a_loads, 2, 0, 1024, "loads", "of A by a thread in a tile") \
    X(INT, b_loads, 2, 0, 1024, "loads", "of B by a thread in a tile")

/* What a built-in loop is made with (docs/settings.md, "loop"). */
#define SWP_LOOP_SETTINGS_FIELDS(X) \
    X(INT, slots, 0, 0, 64, "slots", "most slots of a value in shared memory; 0: as many as it takes") \
    X(INT, shared_bytes, 0, 0, SWP_MOST_SHARED_BYTES, "bytes", "budget of shared memory; 0: the target's") \
    X(INT, lane_registers, 0, 0, SWP_MOST_LANE_REGISTERS, "registers", "budget of registers a lane; 0: the target's") \
    X(INT, resident_work_groups, 0, 0, 32, "work groups", "that share a multiprocessor; 0: one is assumed") \
    X(BOOL, causal, false, 0, 0, "", "attention with warp roles masks its scores") \
    X(BOOL, persistent, false, 0, 0, "", "warp roles make one output tile after another") \
    X(INT, occupancy_global, 0, 0, SWP_MOST_CYCLES, "cycles", "a global access keeps its unit") \
    X(INT, occupancy_lds, 0, 0, SWP_MOST_CYCLES, "cycles", "an LDS access keeps its unit")
/* clang-format on */

#define SWP_MEMBER(kind, name, ...) SWP_TYPE_##kind name;
/** How many ops a block takes (BlockSizing). */
typedef struct swp_block_sizing {
    SWP_BLOCK_SIZING_FIELDS(SWP_MEMBER)
} swp_block_sizing;
/** The structure of a pipelined loop (PipelineConfig). */
typedef struct swp_pipeline_config {
    SWP_PIPELINE_CONFIG_FIELDS(SWP_MEMBER)
    swp_block_sizing block_sizing;
} swp_pipeline_config;
/** The knobs of scheduling, waits and barriers (ScheduleConfig). */
typedef struct swp_schedule_config {
    SWP_SCHEDULE_CONFIG_FIELDS(SWP_MEMBER)
} swp_schedule_config;
/** The machine that a schedule runs on (docs/verification.md, "The machine"). */
typedef struct swp_machine {
    SWP_MACHINE_FIELDS(SWP_MEMBER)
} swp_machine;
/** Counts behind the scheduling hints of the single-buffer matmul. */
typedef struct swp_mma_hints {
    SWP_MMA_HINTS_FIELDS(SWP_MEMBER)
} swp_mma_hints;
/** What a built-in loop is made with. */
typedef struct swp_loop_settings {
    SWP_LOOP_SETTINGS_FIELDS(SWP_MEMBER)
} swp_loop_settings;
#undef SWP_MEMBER

/** Each struct with the defaults of its table. */
SWP_API swp_block_sizing swp_block_sizing_default(void);
SWP_API swp_pipeline_config swp_pipeline_config_default(void);
SWP_API swp_schedule_config swp_schedule_config_default(void);
SWP_API swp_machine swp_machine_default(void);
SWP_API swp_mma_hints swp_mma_hints_default(void);
SWP_API swp_loop_settings swp_loop_settings_default(void);

/** fragment_zero: the fragment load of subtile 0 is loop-carried. */
SWP_API swp_loop_carried swp_loop_carried_fragment_zero(void);
SWP_API swp_loop_carried swp_loop_carried_none(void);

SWP_API swp_warp_stagger swp_warp_stagger_none(void);
SWP_API swp_warp_stagger swp_warp_stagger_auto(void);
SWP_API swp_warp_stagger swp_warp_stagger_fixed(int amount);

/* Derived figures of a PipelineConfig (docs/settings.md, "pipeline"). */
SWP_API int swp_mmas_per_partition(const swp_pipeline_config *config);
SWP_API int swp_blocks_per_partition(const swp_pipeline_config *config);
SWP_API int swp_total_blocks(const swp_pipeline_config *config);
/** Row or column of a COMPUTE that a fragment of `channel` must match. */
SWP_API int swp_compute_match_key(const swp_pipeline_config *config, const swp_op *op, int channel);
/** Whether the op belongs to the iteration before: its subtile is the selector, whatever its kind. */
SWP_API bool swp_is_loop_carried(const swp_pipeline_config *config, const swp_op *op);
/** Counted accesses of one op of a channel: 0 is A, any other B. */
SWP_API int swp_vm_per_channel(const swp_pipeline_config *config, int channel);
SWP_API int swp_lgkm_per_channel(const swp_pipeline_config *config, int channel);

/**
 * Refuses values out of their row's range and contradictions, and warns of settings that another one
 * overrides (docs/descriptions.md, "What cannot be combined").
 * @return SWP_INVALID with one diagnostic for each error.
 */
SWP_API swp_status swp_pipeline_config_check(swp_context *ctx, const swp_pipeline_config *config);
SWP_API swp_status swp_schedule_config_check(swp_context *ctx, const swp_schedule_config *config);
SWP_API swp_status swp_machine_check(swp_context *ctx, const swp_machine *machine);

#ifdef __cplusplus
}
#endif
#endif
