/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file diff.h  Two schedules aligned entry by entry, with what each difference does to safety,
 * waits, barriers and cycles (docs/diff.md).
 *
 * The first schedule is called A, the second B. Both must outlive what is said of them here.
 */
#ifndef SWP_DIFF_H
#define SWP_DIFF_H

#include "swp/simulate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a row of the alignment is. */
#define SWP_DIFFERENCES(X)                                                                         \
    X(SWP_DIFF_ALIKE, 0, "alike", "in both, the same")                                             \
    X(SWP_DIFF_CHANGED, 1, "changed", "in both, with other numbers")                               \
    X(SWP_DIFF_REMOVED, 2, "removed", "in A only")                                                 \
    X(SWP_DIFF_ADDED, 3, "added", "in B only")                                                     \
    X(SWP_DIFF_LEFT, 4, "left", "in both, but not in the same order: its place in A")              \
    X(SWP_DIFF_MOVED, 5, "moved", "in both, but not in the same order: its place in B")

typedef enum swp_difference { SWP_DIFFERENCES(SWP_NUMBERED) SWP_DIFFERENCE_COUNT } swp_difference;

SWP_API const char *swp_difference_name(swp_difference difference);
SWP_API const char *swp_difference_meaning(swp_difference difference);

/** A hazard of A, of B, or of one of them with some of the differences. */
typedef struct swp_diff_hazard {
    swp_hazard_kind kind;
    swp_phase phase;
    int a;            /**< entry of A's phase, its length for the end; -1: A does not have it */
    int b;            /**< entry of B's phase, likewise */
    const char *name; /**< of the op there */
    const char *role; /**< whose entry it is; NULL: of a schedule without warp roles */
    int smallest_n;   /**< least number of K tiles that shows it */
} swp_diff_hazard;

typedef struct swp_diff_hazard_list {
    swp_diff_hazard *items;
    size_t count;
    size_t capacity;
} swp_diff_hazard_list;

/** What differences do to a schedule. Numbers say by how much there is more of it. */
typedef struct swp_diff_effect {
    bool judged;                  /**< false: the proof takes it only before, or only after */
    bool was_safe;                /**< with no hazard at all */
    bool is_safe;                 /**< the same afterwards */
    swp_diff_hazard_list hazards; /**< that come */
    swp_diff_hazard_list gone;    /**< that go */
    int barriers;                 /**< entries, of all phases */
    int waits;                    /**< entries, of all phases */
    bool simulated;               /**< false: it has no steady state before, or none after */
    double cycles_per_pass;
    double cycles_per_tile; /**< of a K tile, or of a loop's iteration */
    int64_t prologue_cycles;
    int64_t epilogue_cycles;
} swp_diff_effect;

/** A row of the alignment of a phase. */
typedef struct swp_diff_row {
    swp_difference difference;
    int a;                          /**< entry of A; -1: none */
    int b;                          /**< entry of B; -1: none */
    int other;                      /**< of an op that moved: the row of its other place; else -1 */
    const swp_diff_effect *with;    /**< A with this difference alone; NULL: not worked out */
    const swp_diff_effect *without; /**< B without it; NULL: not worked out */
} swp_diff_row;

/** The alignment of a phase: every entry of A and of B in its order. */
typedef struct swp_diff_phase {
    swp_diff_row *items;
    size_t count;
    size_t capacity;
    size_t differences;             /**< rows that are not alike; an op that moved counts once */
    const swp_diff_effect *with;    /**< A with B's phase; NULL: not worked out */
    const swp_diff_effect *without; /**< B with A's phase; NULL: not worked out */
} swp_diff_phase;

/** The streams of a role that has one name in both; without warp roles the only one of each. */
typedef struct swp_diff_role {
    const char *name;                     /**< NULL: of a schedule without warp roles */
    int a;                                /**< stream of A; -1: none */
    int b;                                /**< stream of B; -1: none */
    swp_diff_phase phases[SWP_DRAIN + 1]; /**< by swp_phase */
} swp_diff_role;

/** Differences in a list that only some numbers of tiles run (swp_tails): they are counted, no more. */
typedef struct swp_diff_form {
    int form; /**< swp_schedule_form() */
    size_t differences;
} swp_diff_form;

typedef struct swp_diff_form_list {
    swp_diff_form *items;
    size_t count;
    size_t capacity;
} swp_diff_form_list;

/**
 * Something other than an entry that differs: a member of the loop (`loop.first_base`), a setting
 * (`machine.registers`, `schedule.sync`), or what all ops of a name cost (`costs.LOAD_A.vm_cost`).
 */
typedef struct swp_diff_setting {
    const char *path;
    const char *a;
    const char *b;
    /** The effects, as of a row, for the machine's and the costs; NULL for all others. */
    const swp_diff_effect *with;
    const swp_diff_effect *without;
} swp_diff_setting;

typedef struct swp_diff_setting_list {
    swp_diff_setting *items;
    size_t count;
    size_t capacity;
} swp_diff_setting_list;

/** What the judges say of one of the two. */
typedef struct swp_diff_side {
    const swp_schedule *schedule;
    const char *unjudged;         /**< why swp_verify() refuses it; NULL: it does not */
    swp_diff_hazard_list hazards; /**< none: it is safe */
    const char *unsimulated;      /**< why swp_simulate() refuses it; NULL: it does not */
    swp_simulation simulation;    /**< without its stalls */
} swp_diff_side;

typedef struct swp_diff {
    swp_diff_side a;
    swp_diff_side b;
    bool alike;             /**< no entry, setting, cost or loop differs */
    bool little_in_common;  /**< fewer than half of the data ops of the larger one are in both */
    bool stopped;           /**< by a limit of the context: effects are missing */
    swp_diff_effect effect; /**< of all differences, from A to B */
    swp_diff_setting_list settings;
    swp_diff_role *roles; /**< A's, then those that only B has */
    size_t role_count;
    swp_diff_form_list forms; /**< whose own list differs; none where the loops do */
} swp_diff;

/**
 * Compares two schedules by machine, loop, phases and settings; names of ops tell which are the same.
 *
 * Each difference is then taken by itself: into A, and back out of B. That is left out where the
 * loops differ or the two have little in common.
 * @param options  of the cycle model; NULL: the published one
 * @return SWP_INVALID for a phase with more entries than can be aligned (E0740). A limit of the
 *         context leaves out effects, with a warning, and the status is SWP_OK.
 */
SWP_API swp_status swp_diff_schedules(swp_context *ctx, const swp_schedule *a,
                                      const swp_schedule *b, const swp_simulate_options *options,
                                      swp_diff *out);

/** Writes the comparison for people; the context owns it. */
SWP_API swp_status swp_diff_text(swp_context *ctx, const swp_diff *diff, char **text,
                                 size_t *length);

/** Writes the stable format of `swp diff --format json` (absent in core-only builds). */
SWP_API swp_status swp_diff_json(swp_context *ctx, const swp_diff *diff, char **text,
                                 size_t *length);

#ifdef __cplusplus
}
#endif
#endif
