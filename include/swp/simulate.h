/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file simulate.h  Counts how many cycles a schedule takes, and where it stalls, by an in-order
 * cycle model (docs/simulation.md).
 *
 * Each warp group issues its entries in order, issue_cycles apart. An entry that is held issues
 * when that ends, and the next entry issue_cycles later. Latencies are those of the cost model that
 * the schedule was compiled for; what depends on them is as good as they are.
 */
#ifndef SWP_SIMULATE_H
#define SWP_SIMULATE_H

#include "swp/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why an entry does not issue at once. */
#define SWP_STALLS(X)                                                                              \
    X(SWP_STALL_OPERAND, 0, "operand", "a register that it reads has not arrived")                 \
    X(SWP_STALL_UNIT, 1, "unit", "its unit is busy")                                               \
    X(SWP_STALL_WAIT, 2, "wait", "an access that the wait retires has not finished")               \
    X(SWP_STALL_FENCE, 3, "fence", "the fenced barrier waits for an LDS access of its own wave")   \
    X(SWP_STALL_COUNTER, 4, "counter", "the counter is full until an older access has finished")   \
    X(SWP_STALL_BARRIER, 5, "barrier", "the other group has not reached the barrier")              \
    X(SWP_STALL_CROSSING, 6, "crossing", "the barrier itself takes cycles")                        \
    X(SWP_STALL_PHASE, 7, "phase", "an arrival or a copy of the phase is missing")

typedef enum swp_stall_cause { SWP_STALLS(SWP_NUMBERED) SWP_STALL_CAUSES } swp_stall_cause;

SWP_API const char *swp_stall_name(swp_stall_cause cause);
SWP_API const char *swp_stall_meaning(swp_stall_cause cause);

/** Most cycles of an op, so that sums over a long run fit; also where synchronisation is derived. */
#define SWP_MOST_STEP_CYCLES INT64_C(1000000000)

#define SWP_MOST_LOAD_LATENCY 10000

/**
 * What the machine does not say. Zero-initialised is the published model. A schedule with a dataflow has
 * units of its own and takes neither (W0721).
 */
typedef struct swp_simulate_options {
    int occupancy_global; /**< cycles that a counted access holds the global memory unit, from 0 */
    int occupancy_lds;    /**< cycles that a counted access holds the LDS unit, from 0 */
    /**
     * Target whose figures say what the ops of a body take, for all warps of a block
     * (docs/simulation.md, "A block by figures"), and what its synchronisation costs. With NULL, or
     * a target without figures of mma.sync, the latencies of the schedule count. They also count if
     * warp groups are no multiple of four waves, with a warning (W0722). By figures occupancies do
     * not count (W0721). For warp roles the figures say what groups share and when a wgmma ends
     * ("Roles by figures"), and `machine` what synchronisation costs.
     */
    const struct swp_target *target;
    /**
     * The latency of loads in percent of their own, 100 to SWP_MOST_LOAD_LATENCY; 0 is 100. A load
     * is an asynchronous op of a loop that reads no value, and in a body a load from global memory.
     */
    int load_latency_percent;
} swp_simulate_options;

/**
 * A warp group, or an instance of a warp role, which issues entries in order. They count from 0
 * through the instances of all roles.
 */
typedef struct swp_group_load {
    const char *role; /**< its name; NULL: a warp group of a schedule without warp roles */
    int stream;
    int instance;  /**< of the role; without roles the number of the group */
    int64_t held;  /**< cycles in the steady state's `passes` passes in which something holds it */
    int64_t *busy; /**< of each unit: amounts by cycles that its ops keep, likewise */
    /**
     * When it issues each entry of its kernel in the steady state's first pass. It is counted from
     * the cycle at which the first group that has entries begins that pass. SWP_NOT_ISSUED: another
     * instance issues it. NULL: no entries.
     */
    int64_t *issues;
} swp_group_load;

#define SWP_NOT_ISSUED INT64_MIN

/** Cycles that a group loses at a kernel entry in the steady state, for one reason. */
typedef struct swp_stall {
    int entry; /**< of the kernel phase */
    int group; /**< number in swp_simulation.groups */
    swp_stall_cause cause;
    int64_t cycles; /**< in the steady state's `passes` passes */
    bool has_other; /**< false for a crossing */
    swp_entry_ref
        other;         /**< what it waits for; entry -1: the barrier between prologue and kernel */
    int passes_before; /**< how many passes before `entry` the other one stands */
    int other_group;
    const char *object; /**< of warp roles, that the entry works on; NULL: none */
} swp_stall;

typedef struct swp_stall_list {
    swp_stall *items;
    size_t count;
    size_t capacity;
} swp_stall_list;

/** How long a unit is busy. */
typedef struct swp_unit_load {
    const char *name;
    swp_resource unit; /**< NONE for those of a loop, which may have any name */
    int64_t capacity;  /**< 1 or more */
    int64_t busy; /**< amounts by cycles in the steady state's `passes` passes, of all groups */
} swp_unit_load;

typedef struct swp_simulation {
    /** Steady state: `passes` passes take `cycles`, over and over; both exact. */
    int64_t cycles;
    int passes;
    int warm_up; /**< passes before the first that are known to be like these */
    /** Of the first group that has kernel entries: until it is ready for the first of them… */
    int64_t prologue_cycles;
    int64_t epilogue_cycles; /**< …and from the last of them until all has finished */
    /**
     * With output tiles: over and over, `tiles` of them take `tile_cycles`, each of `tile_passes`
     * passes, with the lists around its passes, unless those overlap with other tiles. The figures
     * are exact. 0: there are none.
     */
    int64_t tile_cycles;
    int tiles;
    int tile_passes;
    swp_unit_load *units; /**< global_mem, lds, mma_unit, valu, or those of the loop */
    size_t unit_count;
    swp_stall_list stalls; /**< most cycles first, then by entry and group */
    swp_group_load *groups;
    size_t group_count;
    bool by_figures; /**< those of the options' target count, of a body or of warp roles */
} swp_simulation;

/**
 * Follows passes until the state of the machine comes back. An entry whose tag the body lacks has
 * no latency, with a warning.
 * @param options  NULL: the published model
 * @return SWP_INVALID if no steady state exists: warp groups wait for each other for ever, or
 * accesses pile up without end.
 */
SWP_API swp_status swp_simulate(swp_context *ctx, const swp_schedule *schedule,
                                const swp_simulate_options *options, swp_simulation *out);

/** Returns for how much of a simulation's time a unit is busy, in percent of its capacity. */
SWP_API double swp_unit_percent(const swp_simulation *simulation, const swp_unit_load *unit);

/**
 * Fills in the slack of the hazards that latencies could prevent: cycles from where the other
 * access finishes to where the hazard's own entry issues, in the run of `smallest_n` tiles and for
 * the two groups where that is least. Not negative: the model's latencies happen to prevent it.
 * Where the body lacks the tag of an entry, whose latency nobody knows, there is no slack. Nor is there any of
 * schedules with output tiles or of a cluster.
 */
SWP_API swp_status swp_simulate_slack(swp_context *ctx, const swp_schedule *schedule,
                                      swp_verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
