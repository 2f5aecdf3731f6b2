/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file verify.h  Whether a schedule computes its loop, for every trip count and every timing the
 * machine allows. docs/verification.md has the model and the argument.
 */
#ifndef SWP_VERIFY_H
#define SWP_VERIFY_H

#include "swp/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What must never happen; of one cause the first kind of this table is reported. */
#define SWP_HAZARDS(X)                                                                             \
    X(SWP_STALE_READ, 0, "stale_read", "a read that may come before the load of its tile")         \
    X(SWP_OVERWRITTEN, 1, "overwritten",                                                           \
      "a load that may come before the last read of what it replaces")                             \
    X(SWP_WRITE_RACE, 2, "write_race", "two writes to one place, neither before the other")        \
    X(SWP_WRONG_TILE, 3, "wrong_tile", "operands that are there, but of another tile")             \
    X(SWP_MISSING_WORK, 4, "missing_work", "a product that is never accumulated")                  \
    X(SWP_DOUBLE_WORK, 5, "double_work", "a product that is accumulated twice")                    \
    X(SWP_REGISTER_NOT_READY, 6, "register_not_ready",                                             \
      "a register used while its load is in flight")                                               \
    X(SWP_OUT_OF_RANGE, 7, "out_of_range", "a load of a tile that does not exist")                 \
    X(SWP_DEADLOCK, 8, "deadlock", "waves that do not meet the same number of barriers")           \
    X(SWP_COUNTER, 9, "counter", "more accesses in flight than a counter that wraps can hold")     \
    X(SWP_ARRIVALS, 10, "arrivals",                                                                \
      "a phase of an mbarrier with too few or too many arrivals or bytes, or one too early")       \
    X(SWP_NAMED_BARRIER, 11, "named_barrier",                                                      \
      "a named barrier whose threads do not add up, or that is used again before it opened")       \
    X(SWP_PHASE_ALIAS, 12, "phase_alias",                                                          \
      "a wait that takes another phase of its parity for its own")                                 \
    X(SWP_UNOBSERVED_PHASE, 13, "unobserved_phase",                                                \
      "an arrival that does not come after a wait for the phase before")                           \
    X(SWP_LOST_PEER, 14, "lost_peer",                                                              \
      "an asynchronous operation, or an arrival, at a work group that has ended")                  \
    X(SWP_UNFENCED, 15, "unfenced",                                                                \
      "an asynchronous operation on what ordinary instructions touched, without a fence")          \
    X(SWP_ACCUMULATOR_IN_FLIGHT, 16, "accumulator_in_flight",                                      \
      "a register of a matrix operation that is in flight, read or written")                       \
    X(SWP_FENCE_PLACE, 17, "fence_place",                                                          \
      "a proxy fence that stands in another thread than the one that touched the place")

typedef enum swp_hazard_kind { SWP_HAZARDS(SWP_NUMBERED) SWP_HAZARD_KINDS } swp_hazard_kind;

SWP_API const char *swp_hazard_name(swp_hazard_kind kind);
SWP_API const char *swp_hazard_meaning(swp_hazard_kind kind);

/** What a hazard is about. */
typedef enum swp_site {
    SWP_SITE_NONE,
    SWP_SITE_LDS,
    SWP_SITE_REGISTER,
    SWP_SITE_ACCUMULATOR
} swp_site;

/** An entry of a schedule. Entries count from 0 in their phase. */
typedef struct swp_entry_ref {
    swp_phase phase;
    int entry;
} swp_entry_ref;

typedef struct swp_hazard {
    swp_hazard_kind kind;
    swp_entry_ref at;
    const char *name; /**< of the op there */
    swp_site site;
    int channel;       /**< LDS and registers */
    int stage;         /**< slot in LDS; the row of an accumulator */
    int subtile;       /**< LDS and registers; the column of an accumulator */
    const char *value; /**< LDS and registers of a schedule with a dataflow; else NULL… */
    int slot;          /**< …and the slot of that value, in place of channel, stage and subtile */
    bool has_other;
    swp_entry_ref other; /**< the second op of the conflict */
    int passes_before;   /**< how many passes before `at` the other one stands */
    int stream;          /**< number of the stream of `at`, and… */
    int other_stream;    /**< …of `other`: 0 where there is one */
    const char *role; /**< its name, in a schedule with warp roles; else NULL, as are those below */
    int instance;     /**< of that role: one of those in which it happens… */
    bool is_in_cluster;     /**< …and of several work groups it is the instance… */
    int rank;               /**< …of this one */
    const char *other_role; /**< of `other` */
    int other_instance;
    int other_rank;
    const char *object; /**< that the entry works on; NULL: none */
    bool has_phase;     /**< it is an mbarrier */
    int mbarrier_phase; /**< that the entry names of its slot, with smallest_n iterations */
    int smallest_n; /**< least number of K tiles that shows it; of output tiles: of all of them… */
    const int
        *tiles; /**< …and the least sequence, as the numbers of each; NULL: the schedule has none */
    int tile_count;
    int other_tile; /**< the same of `other` */
    int tile;       /**< of that sequence: in whose lists `at` is; tile_count: in the drain */
    bool accepted;
    bool has_slack;
    int64_t slack_cycles; /**< swp_simulate_slack() fills it in */
    const char *detail;   /**< tiles, and the missing link */
    const char *hint;     /**< what would repair it */
} swp_hazard;

typedef struct swp_hazard_list {
    swp_hazard *items;
    size_t count;
    size_t capacity;
} swp_hazard_list;

/** A hazard that the user knows of and takes. */
typedef struct swp_acceptance {
    swp_hazard_kind kind;
    swp_entry_ref at;
    const char *role; /**< of a schedule with warp roles; NULL in any other */
} swp_acceptance;

typedef struct swp_verdict {
    bool safe;               /**< no hazard at all, accepted ones included */
    int accepted;            /**< hazards that the user takes */
    int passes_explored;     /**< kernel passes until the state came back */
    swp_hazard_list hazards; /**< by role, phase, entry and kind; one for each of those */
    uint64_t work;           /**< entries followed, and places and registers looked at for them */
} swp_verdict;

/**
 * Decides all numbers of tiles at once, from machine, loop and phases alone; of a schedule with warp roles from
 * roles, sync objects and dataflow (docs/roles-reference.md).
 * An acceptance of a hazard that does not occur gets a warning. With warp roles a run is judged up to the first kind of
 * hazard that is not accepted, so accepting one may tell others (docs/roles-reference.md, "Behind what is accepted").
 * @return SWP_INVALID for a schedule that has no meaning (an op of a kind no kernel has, say).
 */
SWP_API swp_status swp_verify(swp_context *ctx, const swp_schedule *schedule,
                              const swp_acceptance *accepted, size_t accepted_count,
                              swp_verdict *out);

/**
 * The same for one form of a schedule alone (swp_schedule_form()).
 * @return SWP_INVALID also for one with output tiles: its runs have tiles of all forms.
 */
SWP_API swp_status swp_verify_form(swp_context *ctx, const swp_schedule *schedule, int form,
                                   swp_verdict *out);

/**
 * Gives each hazard the hint that the proof has tried: an edit of the schedule, in words, after which
 * this hazard is gone and no other has come. Where no such single edit is found the hint stays general.
 * Slower than the proof itself by some hundred times, and limited to the work of about a second. Where a limit of the context
 * ends the search the hints of the hazards that are left stay general, with W0401.
 * @param schedule  the one that the verdict is of
 * @return SWP_OUT_OF_MEMORY or SWP_OK
 */
SWP_API swp_status swp_verify_repairs(swp_context *ctx, const swp_schedule *schedule,
                                      swp_verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
