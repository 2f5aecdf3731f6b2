/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file target.h  Cost models (docs/descriptions.md, "costs") and targets.
 */
#ifndef SWP_TARGET_H
#define SWP_TARGET_H

#include "swp/config.h"
#include "swp/geometry.h"
#include "swp/loop.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What one kind of op costs (OpCost). */
typedef struct swp_op_cost {
    swp_resource resource;
    int latency; /**< cycles */
    swp_role role;
    int vgpr_def;
    int vgpr_kill;
} swp_op_cost;

/** Returns a cost with resource and kind "none", and all else 0. */
SWP_API swp_op_cost swp_op_cost_none(void);

#define SWP_KERNEL_TAGS 128

/** A cost for each kernel tag (TargetCostModel). */
typedef struct swp_cost_model {
    swp_op_cost costs[SWP_KERNEL_TAGS];
} swp_cost_model;

/** Returns a model in which every tag costs "none". */
SWP_API swp_cost_model swp_cost_model_none(void);

/** Stamps a cost on an op: resource, latency, kind and registers. */
SWP_API void swp_op_stamp(swp_op *op, const swp_op_cost *cost);

/** annotate_ops: stamps resource, latency, kind and registers on ops with a kernel tag. */
SWP_API void swp_annotate_ops(swp_op *ops, size_t count, const swp_cost_model *model);

/** A cost model and the pipeline it is made for (TargetProfile). */
typedef struct swp_target_profile {
    swp_cost_model cost_model;
    swp_pipeline_config pipeline;
} swp_target_profile;

/**
 * The figures of a target that a file can state (docs/targets.md). X(FIGURE, section, key, least, meaning). Those of
 * `counters` and `limits` are at most those of the built-in target that the file is like.
 */
/* clang-format off */
#define SWP_TARGET_FIGURES(X) \
    X(LOAD_LATENCY, load, latency, 0, "cycles until the first byte of a load from global memory is there") \
    X(LOAD_BYTES, load, bytes_per_cycle, 1, "bytes that loads bring in a cycle") \
    X(MEMORY_BYTES, load, memory_bytes_per_cycle, 1, "the same of what is in no cache, when all units load") \
    X(ROW_BYTES, load, row_bytes, 1, "bytes that a row of a tensor copy takes as long as, if it has fewer") \
    X(SHARED_LATENCY, shared, latency, 0, "cycles of an access to shared memory") \
    X(SHARED_BYTES, shared, bytes_per_cycle, 1, "bytes that shared memory hands out in a cycle") \
    X(MMA_LATENCY, mma, latency, 0, "cycles from the last issue of a matrix op to its result") \
    X(MMA_PRODUCTS, mma, products_per_cycle, 1, "multiply-adds of the matrix unit in a cycle") \
    X(MMA_SYNC_LATENCY, mma_sync, latency, 0, "cycles from an mma.sync.m16n8k16 of bf16 to its result") \
    X(MMA_SYNC_PRODUCTS, mma_sync, products_per_cycle, 1, "multiply-adds of all of them in a cycle") \
    X(FRAGMENT_LATENCY, fragment, latency, 0, "cycles from an ldmatrix.x4 to its result") \
    X(FRAGMENT_BYTES, fragment, bytes_per_cycle, 1, "bytes that all of them bring in a cycle") \
    X(FRAGMENT_PERCENT, fragment, mma_percent, 0, "percent of their cycles for which mma.sync stands still beside them") \
    X(COPY_LATENCY, copy, latency, 0, "cycles until what a cp.async of 16 bytes a lane brings is in shared memory") \
    X(COPY_ISSUE, copy, issue, 0, "cycles for which a warp issues one") \
    X(VECTOR_LATENCY, vector, latency, 0, "cycles until a vector op has its result") \
    X(VECTOR_LANES, vector, lanes_per_cycle, 1, "operations of the vector unit in a cycle") \
    X(EXP_LANES, exp, lanes_per_cycle, 1, "exponentials in a cycle") \
    X(SYNC_WAIT, sync, wait, 0, "cycles of a wait for what is done already") \
    X(SYNC_ARRIVE, sync, arrive, 0, "cycles of an arrival at an mbarrier") \
    X(SYNC_SIGNAL, sync, signal, 0, "cycles from an arrival until who waits for it goes on") \
    X(SYNC_BARRIER, sync, barrier, 0, "cycles from the last arrival at a barrier until its warps go on") \
    X(SYNC_FENCE, sync, fence, 0, "cycles of a proxy fence") \
    X(VMCNT, counters, vmcnt, 1, "the largest value of vmcnt") \
    X(LGKMCNT, counters, lgkmcnt, 1, "the largest value of lgkmcnt") \
    X(GROUP_BYTES, limits, shared_bytes, 1, "bytes of shared memory of a work group") \
    X(LANE_REGISTERS, limits, lane_registers, 1, "registers of 32 bits of a lane") \
    X(REGISTER_FILE, limits, register_file, 1, "registers of 32 bits of all lanes of a compute unit or SM")
/* clang-format on */

#define SWP_TARGET_ENUMERATOR(figure, ...) SWP_TARGET_##figure,
typedef enum swp_target_figure {
    SWP_TARGET_FIGURES(SWP_TARGET_ENUMERATOR) SWP_TARGET_FIGURE_COUNT
} swp_target_figure;
#undef SWP_TARGET_ENUMERATOR

/** What a target says of a figure. */
typedef struct swp_target_number {
    int64_t value;
    const char *source; /**< NULL: assumed */
    bool stated;        /**< otherwise the target has no such figure */
} swp_target_number;

/** What a compute unit or SM has beside the figures, which bounds how many work groups share it. */
typedef struct swp_target_residency {
    int reserved_bytes; /**< of shared memory, of each work group, which it cannot use */
    int granule;        /**< bytes of shared memory that are handed out together */
    int waves;          /**< most of all work groups together */
    int work_groups;    /**< most */
} swp_target_residency;

/** A machine by name: its profiles for both buffer depths, what it counts, and its limits. */
typedef struct swp_target {
    const char *name;
    const char *meaning;
    swp_access_rules accesses;
    swp_barrier_kind barrier;    /**< what its bare barrier is */
    swp_register_mode registers; /**< who waits for managed ones: managed, or scoreboard */
    swp_tile_shape tile_shape;   /**< where a geometry leaves it open */
    swp_target_residency residency;
    int wave_tile[2]; /**< rows and columns of a wave; 0: the kernel's own wave layout */
    swp_target_profile (*single_buffer)(void);
    swp_target_profile (*double_buffer)(int vm_per_load_a, int vm_per_load_b, int max_globals);
    bool has_loops;    /**< built-in loops can be made from its figures */
    bool exp_apart;    /**< a unit of their own computes exponentials */
    bool mma_is_async; /**< matrix ops read shared memory, and a group says that they are done */
    bool mbarriers;    /**< loads end on an mbarrier; otherwise a counter */
    /** By swp_completion: which ops of a loop complete so; NULL: none do. `group` and `mbarrier` name none. */
    const char *completions[SWP_COMPLETION_COUNT];
    /**
     * The figures are those of one SM or compute unit. A counter that is not stated has the value
     * SWP_MOST_ACCESSES, which is no limit.
     */
    swp_target_number figures[SWP_TARGET_FIGURE_COUNT];
} swp_target;

/** Writes a target as a file that swp_target_read_yaml() reads (docs/targets.md). */
SWP_API swp_status swp_target_write_yaml(swp_context *ctx, const swp_target *target, char **text,
                                         size_t *length);

/** Returns the table of targets: `count` pointers. */
SWP_API const swp_target *const *swp_targets(size_t *count);

/**
 * Returns the target of a name in any case, or of another name of its machines, such as gfx950 or
 * H100; else NULL.
 */
SWP_API const swp_target *swp_target_find(const char *name);

/**
 * Returns who waits before a register's use on a target: if `managed` is asked for, it is what the
 * target has.
 * @param target  NULL: one that is not known
 */
SWP_API swp_register_mode swp_target_registers(const swp_target *target, swp_register_mode asked);

/**
 * Returns how many registers of 32 bits a lane may have if a work group has so many waves. The
 * waves of a work group share those of a compute unit or SM. Four of them run side by side, and
 * registers are handed out eight at a time.
 * @param waves  of the work group, 1 or more
 * @return 0 if there are too many waves
 */
SWP_API int swp_target_lane_registers(const swp_target *target, int waves);

/**
 * Limits a loop to what a target has for a work group of the machine. If they are 0,
 * `shared_budget` and `lane_registers` become the target's. `lanes` becomes the work group's, and
 * the bytes of waves become those of the work group. Ops of warp roles take what the figures of a
 * target file say of them (docs/simulation.md, "Roles by figures"). With several work groups of a multiprocessor
 * budgets are the shares of one, and ops hold units for all (docs/loops.md, "Work groups of a multiprocessor"); of a
 * range that is the least number. A loop without warp roles whose copies complete on mbarriers becomes one role of all waves
 * (docs/loops.md, "Mbarriers without roles").
 * @return SWP_INVALID, with a diagnostic, if a budget is more than the target has, or shared memory
 * is said to be a wave's
 */
SWP_API swp_status swp_loop_limit(swp_context *ctx, const swp_target *target,
                                  const swp_machine *machine, swp_loop *loop);

/**
 * Returns how many work groups of a loop share a multiprocessor if each takes so many bytes of shared memory, mbarriers
 * among them, and of registers.
 * @return at least 1
 */
SWP_API int swp_loop_fit(const swp_target *target, const swp_machine *machine, const swp_loop *loop,
                         int64_t shared_bytes, int64_t register_bytes);

/**
 * Returns the fewest waves of each of so many warp groups, from `waves` on, whose lanes have room
 * for a slot of each value.
 * @return `waves` if none have
 */
SWP_API int swp_loop_waves(const swp_target *target, const swp_loop *loop, int groups, int waves);

/**
 * Finds how the waves of a target divide a block.
 * @param own  the kernel's own layout, for targets that leave it to the kernel
 * @return SWP_INVALID, with both numbers, if a wave's tile does not divide the block.
 */
SWP_API swp_status swp_target_layout(swp_context *ctx, const swp_target *target,
                                     const swp_tile_shape *shape, swp_wave_layout own,
                                     swp_wave_layout *out);

/** Returns the costs of MI355X (gfx950): the published round latencies, not measurements. */
SWP_API swp_cost_model swp_mi355x_cost_model(void);
SWP_API swp_cost_model swp_mi355x_single_buffer_cost_model(void);
SWP_API swp_pipeline_config swp_mi355x_double_buffer(int vm_per_load_a, int vm_per_load_b,
                                                     int max_globals);
SWP_API swp_pipeline_config swp_mi355x_single_buffer(void);
/** Joins both; the published defaults are 4, 4, 1. */
SWP_API swp_target_profile swp_mi355x_target(int vm_per_load_a, int vm_per_load_b, int max_globals);
SWP_API swp_target_profile swp_mi355x_single_buffer_target(void);

/**
 * Returns NVIDIA sm_80 and later with cp.async, ldmatrix and mma.sync (docs/cuda.md, "The
 * machine"). Latencies are cycles of one warp with a tile of 64 x 64 x 32, from the sources named
 * in src/target/sm_80.c.
 */
SWP_API swp_target_profile swp_sm_80_target(int vm_per_load_a, int vm_per_load_b, int max_globals);
SWP_API swp_target_profile swp_sm_80_single_buffer_target(void);

/**
 * Returns NVIDIA sm_90 (H100) with TMA and wgmma for the built-in loops, and with cp.async,
 * ldmatrix and mma.sync for the published kernels. The figures are from the sources named in
 * src/target/sm_90.c.
 */
SWP_API swp_target_profile swp_sm_90_target(int vm_per_load_a, int vm_per_load_b, int max_globals);
SWP_API swp_target_profile swp_sm_90_single_buffer_target(void);

#ifdef __cplusplus
}
#endif
#endif
