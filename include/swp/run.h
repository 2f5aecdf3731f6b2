/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file run.h  Executes a schedule on small integer matrices (docs/verification.md, "Runs"). If it
 * has a dataflow, it computes with numbers that tell which op made them.
 *
 * Every wave, counter, barrier and access in flight is modelled. An asynchronous access takes
 * effect at a moment that the timing chooses, between its issue and what retires it. The executor
 * reads machine, loop and phases only, and shares nothing with the verifier (verify.h).
 */
#ifndef SWP_RUN_H
#define SWP_RUN_H

#include "swp/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a timing chooses among what the machine permits. */
#define SWP_TIMINGS(X)                                                                             \
    X(SWP_TIMING_EARLY, 0, "early", "waves in turn, every access at once")                         \
    X(SWP_TIMING_LATE, 1, "late", "waves in turn, every access as late as possible")               \
    X(SWP_TIMING_LOADS_LATE, 2, "loads_late", "global loads late, LDS operations at once")         \
    X(SWP_TIMING_READS_LATE, 3, "reads_late", "LDS operations late, global loads at once")         \
    X(SWP_TIMING_AHEAD, 4, "ahead", "one wave as far ahead as barriers permit")                    \
    X(SWP_TIMING_BEHIND, 5, "behind", "one wave as far behind as barriers permit")                 \
    X(SWP_TIMING_VICTIM, 6, "victim", "one access delayed to its last legal moment")               \
    X(SWP_TIMING_RACE, 7, "race", "one access hurried, another of its place delayed")              \
    X(SWP_TIMING_ADVERSARIAL, 8, "adversarial",                                                    \
      "the seed chooses one of the above and its victims")                                         \
    X(SWP_TIMING_RANDOM, 9, "random", "the seed chooses every next step")

/* What can be seen of a schedule that goes wrong; by the name of its hazard where it is that alone. */
#define SWP_SYMPTOMS(X)                                                                            \
    X(SWP_NO_SYMPTOM, 0, "none", "every accumulator is right")                                     \
    X(SWP_WRONG_VALUE, 1, "wrong_value", "an accumulator that is not the loop's")                  \
    X(SWP_TILE_OUTSIDE, 2, "out_of_range", "an access of a tile that does not exist")              \
    X(SWP_WAITS_FOR_EVER, 3, "deadlock", "a wave at a barrier that the others never reach")        \
    X(SWP_COUNTER_PASSED, 4, "counter", "a counter that wrapped with accesses in flight")          \
    X(SWP_REGISTER_IN_FLIGHT, 5, "register_not_ready",                                             \
      "a raw register used or loaded again before its load is there")                              \
    X(SWP_OTHER_TILE, 6, "wrong_tile", "right sums, of tiles that were added in another order")    \
    X(SWP_BREAKS_ARRIVALS, 7, "arrivals",                                                          \
      "a phase with other arrivals or bytes, or one too early")                                    \
    X(SWP_BREAKS_NAMED_BARRIER, 8, "named_barrier",                                                \
      "a named barrier with other threads, or used again before it opened")                        \
    X(SWP_BREAKS_PHASE_ALIAS, 9, "phase_alias", "a wait that takes another phase for its own")     \
    X(SWP_BREAKS_LOST_PEER, 10, "lost_peer", "an asynchronous operation in flight at the end")     \
    X(SWP_BREAKS_UNFENCED, 11, "unfenced",                                                         \
      "an asynchronous operation on what an ordinary instruction touched, without a fence")        \
    X(SWP_BREAKS_ACCUMULATOR, 12, "accumulator_in_flight",                                         \
      "a register of a matrix operation in flight, read or written")                               \
    X(SWP_BREAKS_WRITE_RACE, 13, "write_race", "a place written before the write that it replaces")

typedef enum swp_timing { SWP_TIMINGS(SWP_NUMBERED) SWP_TIMING_COUNT } swp_timing;
typedef enum swp_symptom { SWP_SYMPTOMS(SWP_NUMBERED) SWP_SYMPTOM_COUNT } swp_symptom;

/** Returns the name of an enumerator, such as "victim"; "?" for a number that is none. */
SWP_API const char *swp_timing_name(swp_timing timing);
/** Finds the timing of a name. @return false, and `*out` unchanged, if there is none. */
SWP_API bool swp_timing_from_name(const char *name, swp_timing *out);
SWP_API const char *swp_symptom_name(swp_symptom symptom);
SWP_API const char *swp_symptom_meaning(swp_symptom symptom);

/** An entry as one wave executes it, or with warp roles one thread. */
typedef struct swp_instance {
    swp_phase phase;
    int entry; /**< from 0 in its phase; -1: a barrier between the phases, or the lag's */
    int pass;  /**< of the kernel phase, from 0; -1 in the prologue, their number in the epilogue */
    int wave;  /**< from 0, group 0 first; with warp roles the instances of all roles in turn */
    const char *role; /**< its name, the schedule's; NULL: there are no warp roles */
    int stream;       /**< number of the role */
    int instance;     /**< of the role, from 0 */
    int thread;       /**< 0: the elected one; 1 and 2 stand for all others */
    int tile; /**< output tile in whose lists it is; their number: in the drain; 0: there are none */
    bool is_in_cluster;
    int rank; /**< of the work group in its cluster */
} swp_instance;

/** What a wrong value is of. A schedule with a dataflow has no accumulators, but ops. */
typedef enum swp_wrong_kind {
    SWP_WRONG_ACCUMULATOR, /**< row, column, i and j */
    SWP_WRONG_RESULT       /**< what an op came to: op and iteration */
} swp_wrong_kind;

/** What is not as the loop makes it. Of an accumulator it is the first wrong element. */
typedef struct swp_wrong_value {
    swp_wrong_kind kind;
    int wave;
    int row; /**< of the accumulator in the grid of MMAs */
    int column;
    int i; /**< row of the element in its 2x2 matrix */
    int j;
    int op; /**< of the dataflow */
    int iteration;
    const char *role; /**< as in swp_instance, with what follows */
    int instance;
    int thread;
    bool is_in_cluster;
    int rank;
    int64_t got; /**< of an op that was not done 0, of one that was done twice the sum */
    int64_t expected;
} swp_wrong_value;

/** An operand that was not of the tile that its reader expects. */
typedef struct swp_wrong_operand {
    swp_instance reader; /**< the access that read it: a fragment load, a store or a COMPUTE */
    bool has_other;
    swp_instance other; /**< the access that came too late, or too early; the one that wrote it */
    bool too_late;      /**< `other` brings what was wanted, but takes effect after the read */
    int wave;           /**< whose share of the place it is, or whose register */
    int channel;        /**< -1 with a dataflow, as slot and subtile */
    int stage;
    int subtile;
    int value;  /**< of the dataflow; -1: there is none */
    int slot;   /**< of the value */
    int wanted; /**< tile */
    int found;  /**< tile; -1: nothing was ever there. With a dataflow tiles before the loop are
                     negative */
} swp_wrong_operand;

/** An access of a tile, or an op for an iteration, that does not exist. */
typedef struct swp_tile_outside {
    swp_instance at;
    int tile; /**< or iteration */
} swp_tile_outside;

/** A rule of warp roles (docs/roles-reference.md, "What must never happen") that a run broke. */
typedef struct swp_broken_rule {
    swp_symptom rule;
    swp_instance at;
    bool has_other;
    swp_instance other; /**< what it came too early for, or did without a fence */
    const char *object; /**< name of the sync object that it works on; NULL: on none */
    int slot;           /**< of that */
    int phase;          /**< of the slot, or meeting */
} swp_broken_rule;

/* Growable lists. */
typedef struct swp_broken_rule_list {
    swp_broken_rule *items;
    size_t count;
    size_t capacity;
} swp_broken_rule_list;

typedef struct swp_wrong_value_list {
    swp_wrong_value *items;
    size_t count;
    size_t capacity;
} swp_wrong_value_list;

typedef struct swp_wrong_operand_list {
    swp_wrong_operand *items;
    size_t count;
    size_t capacity;
} swp_wrong_operand_list;

typedef struct swp_tile_outside_list {
    swp_tile_outside *items;
    size_t count;
    size_t capacity;
} swp_tile_outside_list;

typedef struct swp_instance_list {
    swp_instance *items;
    size_t count;
    size_t capacity;
} swp_instance_list;

/** What a run came to. The lists of operands and tiles hold the first few. */
typedef struct swp_run_outcome {
    swp_symptom symptom; /**< what the run shows: a wave that waits for ever before wrong values,
                              and after these in the order of the numbers; with warp roles broken
                              rules before these, in the order of docs/roles-reference.md */
    int n;
    int passes;       /**< of the kernel phase */
    int waves;        /**< or instances of all warp roles */
    bool has_roles;   /**< of a schedule with warp roles */
    const int *tiles; /**< of output tiles: the iterations of each; NULL: there are none */
    int tile_count;
    swp_timing timing;           /**< as chosen, where it was adversarial */
    long issued;                 /**< entries, over all waves */
    long accesses;               /**< that took effect */
    swp_wrong_value_list values; /**< one for each wrong accumulator, or result, of a wave; of one
                                      that waits for ever, of what it has come to */
    swp_wrong_operand_list operands;
    swp_tile_outside_list outside;
    swp_instance_list stuck;     /**< the barriers at which waves wait for ever */
    swp_instance_list passed;    /**< the accesses that took a wrapping counter past its end */
    swp_instance_list unready;   /**< what used a raw register, or loaded it again, while its load
                                    was in flight; the first few */
    long other_tiles;            /**< operands of COMPUTEs that were of another tile than theirs */
    swp_broken_rule_list broken; /**< rules of warp roles, in the order of time; the first few. What
                                      follows from a broken rule about phases is not told */
} swp_run_outcome;

/**
 * What happens next: a wave issues entries, or one of its accesses takes effect. With warp roles a thread issues
 * entries and returns from those that wait, or an operation of its instance is retired.
 */
typedef struct swp_timing_event {
    int wave;
    int issue;        /**< so many entries, or moments, in order; 0: an access takes effect */
    int effect;       /**< of the access that the wave issued as its entry of this number, from 0 */
    const char *role; /**< as in swp_instance, with what follows; NULL: there are no warp roles */
    int instance;
    int thread;
    bool is_in_cluster;
    int rank;
    int to; /**< rank in which an operation is retired: of a multicast copy any, else its own */
} swp_timing_event;

typedef struct swp_timing_event_list {
    swp_timing_event *items;
    size_t count;
    size_t capacity;
} swp_timing_event_list;

#define SWP_DIGEST_SIZE 17

/** An execution that goes wrong. What its events leave open happens as early as possible. */
typedef struct swp_counterexample {
    char digest[SWP_DIGEST_SIZE]; /**< of the schedule that it belongs to */
    int n;                        /**< of output tiles: of all of them */
    const int *tiles; /**< the iterations of each output tile; NULL: the schedule has none */
    int tile_count;
    int waves_per_group;
    uint64_t seed; /**< of the matrices; below 2^31 */
    swp_hazard_kind kind;
    swp_entry_ref at;
    const char *role; /**< of `at`, its name; NULL: there are no warp roles */
    bool has_other;
    swp_entry_ref other;
    const char *other_role;
    int passes_before;
    swp_timing_event_list events;
    swp_symptom symptom; /**< what the execution shows */
    bool has_value;
    swp_wrong_value value; /**< with SWP_WRONG_VALUE */
} swp_counterexample;

/** How to run. Zero-initialised means: the least N, at most two waves a group, early. */
typedef struct swp_run_options {
    int n;               /**< tiles; 0: the least that the loop takes */
    int waves_per_group; /**< 0: the machine's, at most 2, which stand for more */
    swp_timing timing;
    uint64_t seed;    /**< of the matrices and of what the timing leaves open */
    const int *tiles; /**< of output tiles: the iterations of each; NULL: one tile of n */
    int tile_count;
} swp_run_options;

/** Executes a schedule once.
 * @param options  NULL: the defaults
 * @return SWP_OK whether it went right or wrong; SWP_INVALID for a schedule that has no meaning and
 *         for an N that its loop does not take.
 */
SWP_API swp_status swp_run(swp_context *ctx, const swp_schedule *schedule,
                           const swp_run_options *options, swp_run_outcome *out);

/** Many runs. Zero-initialised means: every N from the least to 12, 64 seeds, early. */
typedef struct swp_run_sweep {
    bool exact; /**< `least` and `most` are meant as they are, 0 too */
    int least;  /**< tiles; 0: the least that the loop takes */
    int most;   /**< 0: 12, or `least` if that is more; what the loop does not take is left out */
    int seeds;  /**< of each N, from 0 on; 0: 64 */
    int waves_per_group;
    swp_timing timing;
    const int *tiles; /**< of output tiles: the iterations of each, in place of `least` and `most`;
                           NULL: of each N three tiles, of N, the least and N iterations */
    int tile_count;
} swp_run_sweep;

/** The runs of one N. */
typedef struct swp_run_tally {
    int n;            /**< of output tiles: of all of them */
    const int *tiles; /**< as in swp_run_outcome */
    int tile_count;
    int runs;
    int wrong;
} swp_run_tally;

typedef struct swp_run_tally_list {
    swp_run_tally *items;
    size_t count;
    size_t capacity;
} swp_run_tally_list;

typedef struct swp_run_summary {
    swp_timing timing; /**< as asked for */
    long runs;
    long wrong;
    swp_run_tally_list tallies;
    swp_run_outcome first; /**< the first wrong run, if there is one */
    uint64_t first_seed;
    bool stopped; /**< by the context's limits: what follows was not run */
} swp_run_summary;

/** Executes a schedule for several N and seeds, until the context's time is up or it is interrupted:
 * then the summary is of the runs so far, one at least, with a warning (W0401).
 * @param sweep  NULL: the defaults
 * @return SWP_INVALID also if the loop takes none of the numbers of tiles.
 */
SWP_API swp_status swp_run_many(swp_context *ctx, const swp_schedule *schedule,
                                const swp_run_sweep *sweep, swp_run_summary *out);

/* Reports: each text, with its length, is owned by the context; those in JSON are absent in core-only builds. */

/** Writes the wrong values beside the right ones, with the accesses that met in the wrong order. */
SWP_API swp_status swp_run_outcome_text(swp_context *ctx, const swp_schedule *schedule,
                                        const swp_run_outcome *outcome, char **text,
                                        size_t *length);
SWP_API swp_status swp_run_outcome_json(swp_context *ctx, const swp_run_outcome *outcome,
                                        char **text, size_t *length);
/** Writes how many runs of each N went wrong, and the first one that did. */
SWP_API swp_status swp_run_summary_text(swp_context *ctx, const swp_schedule *schedule,
                                        const swp_run_summary *summary, char **text,
                                        size_t *length);
SWP_API swp_status swp_run_summary_json(swp_context *ctx, const swp_run_summary *summary,
                                        char **text, size_t *length);

/** Computes a digest of what the executor reads of a schedule: machine, loop and phases. */
SWP_API void swp_schedule_digest(const swp_schedule *schedule, char digest[SWP_DIGEST_SIZE]);

/**
 * Builds an execution that shows a hazard, for the least N that does: the access that the hazard
 * needs late is delayed and the other hurried as far as the machine permits.
 * @return SWP_INFEASIBLE, with a diagnostic, if no execution that was tried goes wrong.
 */
SWP_API swp_status swp_counterexample_find(swp_context *ctx, const swp_schedule *schedule,
                                           const swp_hazard *hazard, swp_counterexample *out);

/**
 * Executes a counterexample.
 * @return SWP_INVALID if it belongs to another schedule or asks for what the machine does not do.
 */
SWP_API swp_status swp_counterexample_replay(swp_context *ctx, const swp_schedule *schedule,
                                             const swp_counterexample *counterexample,
                                             swp_run_outcome *out);

/** Writes a counterexample as JSON (absent in core-only builds). The context owns the text. */
SWP_API swp_status swp_counterexample_write(swp_context *ctx,
                                            const swp_counterexample *counterexample, char **text,
                                            size_t *length);

/**
 * Reads what swp_counterexample_write() wrote (absent in core-only builds).
 * @param file  for diagnostics
 */
SWP_API swp_status swp_counterexample_read(swp_context *ctx, const char *text, size_t length,
                                           const char *file, swp_counterexample *out);

#ifdef __cplusplus
}
#endif
#endif
