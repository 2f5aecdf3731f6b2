/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file loop.h  A loop as one logical iteration, and its best software pipeline.
 *
 * The ops stand in sequential order. What they read, write and update gives the dependences; nobody
 * states an edge. docs/loops.md is the manual's chapter.
 */
#ifndef SWP_LOOP_H
#define SWP_LOOP_H

#include "swp/problem.h"
#include "swp/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * How the machine says that an op is done. All but `none` read shared memory until then, and all but
 * `none` and those of a counter registers (docs/loops-proof.md, "What an entry does"). The first four leave open
 * which of two objects tracks the op, so that the spaces that it touches have to tell; the others name it.
 */
#define SWP_COMPLETIONS(X)                                                                         \
    X(SWP_COMPLETION_NONE, 4, "none")       /* reads at issue; is over when its macro ends */      \
    X(SWP_COMPLETION_COUNTER, 1, "counter") /* vmcnt or lgkmcnt; a compiler or hardware waits */   \
    X(SWP_COMPLETION_GROUP, 2, "group")     /* a cp.async or a wgmma group */                      \
    X(SWP_COMPLETION_MBARRIER, 3, "mbarrier")                                                      \
    X(SWP_COMPLETION_VMCNT, 5, "vmcnt")                                                            \
    X(SWP_COMPLETION_LGKMCNT, 6, "lgkmcnt")                                                        \
    X(SWP_COMPLETION_COPY_GROUP, 7, "copy_group")       /* cp.async */                             \
    X(SWP_COMPLETION_MATRIX_GROUP, 8, "matrix_group")   /* wgmma */                                \
    X(SWP_COMPLETION_COPY_MBARRIER, 9, "copy_mbarrier") /* TMA */                                  \
    X(SWP_COMPLETION_MATRIX_MBARRIER, 10, "matrix_mbarrier")                                       \
    X(SWP_COMPLETION_STORE_GROUP, 11, "store_group") /* TMA stores, of a loop with warp roles */

#define SWP_SPACES(X)                                                                              \
    X(SWP_SPACE_SHARED, 0, "shared")                                                               \
    X(SWP_SPACE_REGISTERS, 1, "registers")

/** Whose a value's `bytes` are. */
#define SWP_BYTES_OF(X)                                                                            \
    X(SWP_OF_WORK_GROUP, 0, "work_group") /* all of its waves together */                          \
    X(SWP_OF_WAVE, 1, "wave")             /* each has so many; registers only */

/** What is minimised at the least interval, one after the other. */
#define SWP_OBJECTIVES(X)                                                                          \
    X(SWP_LEAST_SHARED, 0, "shared")       /* bytes of shared memory */                            \
    X(SWP_LEAST_REGISTERS, 1, "registers") /* bytes of registers */                                \
    X(SWP_LEAST_STAGES, 2, "stages")

/** In which iterations an op runs (docs/loops.md, "Ops that do not always run"). */
#define SWP_WHENS(X)                                                                               \
    X(SWP_WHEN_ALWAYS, 0, "always")                                                                \
    X(SWP_WHEN_USER, 1, "user")   /* where the kernel's own condition holds */                     \
    X(SWP_WHEN_FIRST, 2, "first") /* in the first iteration */                                     \
    X(SWP_WHEN_LAST, 3, "last")   /* in the last one, which is the first where there is one */     \
    X(SWP_WHEN_NOT_FIRST, 4, "not_first")                                                          \
    X(SWP_WHEN_NOT_LAST, 5, "not_last")                                                            \
    X(SWP_WHEN_EVERY, 6, "every") /* in every n-th iteration */

typedef enum swp_completion {
    SWP_COMPLETION_UNSTATED, /**< as `none`, but who makes a shared value has to say it */
    SWP_COMPLETIONS(SWP_NUMBERED)
} swp_completion;
typedef enum swp_when { SWP_WHENS(SWP_NUMBERED) } swp_when;
typedef enum swp_space { SWP_SPACES(SWP_NUMBERED) } swp_space;
typedef enum swp_bytes_of { SWP_BYTES_OF(SWP_NUMBERED) } swp_bytes_of;
typedef enum swp_objective { SWP_OBJECTIVES(SWP_NUMBERED) } swp_objective;
enum { SWP_SPACE_COUNT = 2, SWP_OBJECTIVE_COUNT = 3 };

/** "none" also where nothing is stated. */
SWP_API const char *swp_completion_name(swp_completion completion);
SWP_API const char *swp_when_name(swp_when when);
SWP_API const char *swp_space_name(swp_space space);
SWP_API const char *swp_bytes_of_name(swp_bytes_of of);
SWP_API const char *swp_objective_name(swp_objective objective);

/** Completions count up to here. */
#define SWP_COMPLETION_COUNT (SWP_COMPLETION_STORE_GROUP + 1)

/** Most slots of a value, and most iterations between a version and its reader. */
#define SWP_MOST_SLOTS 64

/*
 * What a loop has at most, so that what asks each of them about all others ends soon. Operands are an op's
 * uses, reads, writes and updates.
 */
#define SWP_MOST_LOOP_OPS 4096
#define SWP_MOST_LOOP_VALUES 1024
#define SWP_MOST_LOOP_UNITS 1024
#define SWP_MOST_LOOP_ROLES 1024
#define SWP_MOST_OP_OPERANDS 1024
#define SWP_MOST_LOOP_OPERANDS 32768

/** Most work groups that share a multiprocessor. */
#define SWP_MOST_RESIDENT 32

/** Most ways to give ops to roles that the search looks at. */
#define SWP_MOST_ASSIGNMENTS 1024

/** Most iterations from one in which an op runs to the next one. */
#define SWP_MOST_EVERY 65536

/** A value: each iteration makes a new version of it, in one of its buffer's slots. */
typedef struct swp_loop_value {
    const char *name;
    swp_space space;
    int64_t bytes;   /**< of a slot, 0 or more */
    int least_slots; /**< 1 or more */
    int most_slots;  /**< up to SWP_MOST_SLOTS; 0: as many as it takes */
    swp_bytes_of bytes_of;
    swp_place place; /**< where it is described, for diagnostics */
} swp_loop_value;

/** An op reads the version of `distance` iterations before its own. */
typedef struct swp_loop_read {
    int value;
    int distance;    /**< 0 … SWP_MOST_SLOTS - 1 */
    int64_t latency; /**< cycles from its maker's issue until it can be read here; 0: the maker's */
} swp_loop_read;

/** The iterations in which an op runs; in the others what it updates stays as it is. */
typedef struct swp_loop_when {
    swp_when kind;
    int every;  /**< of SWP_WHEN_EVERY: 2 … SWP_MOST_EVERY; it runs in iterations i with… */
    int offset; /**< …i % every == offset, which is less than `every` */
} swp_loop_when;

typedef struct swp_loop_op {
    const char *name;
    int64_t latency; /**< cycles from its issue until what it writes is there */
    swp_completion completion;
    /**
     * Cycles from its issue for which it still reads; 0: none for completion `none`, and of registers none for a
     * counter; else latency.
     */
    int64_t read_cycles;
    /** Cycles for which its instance issues it, and nothing else; 0: 1, if another op of the loop has them. */
    int64_t issue;
    int accesses;       /**< that its counter counts, 1 or more */
    int role;           /**< index of its role; 0 where there are none */
    const int *roles;   /**< of which the search takes one in place of `role`, each once… */
    size_t role_count;  /**< …0: `role` it is */
    bool reads_global;  /**< inputs in global memory, which no op of the loop makes */
    bool writes_global; /**< outputs in global memory, which no op of the loop reads */
    const swp_problem_use *uses;
    size_t use_count;
    const swp_loop_read *reads;
    size_t read_count;
    const int *writes; /**< values: a new version, in another slot */
    size_t write_count;
    /** Slots of all values that it writes, which then have equally many and state none; 0: each has its own. */
    int least_slots;
    int most_slots;
    const int *updates; /**< values: read-modify-write of the version before */
    size_t update_count;
    const int64_t *update_latencies; /**< of each update, as of a read; NULL: all 0 */
    swp_loop_when when;
    swp_role_clock clock; /**< with output tiles: done once an iteration, or once a tile */
    bool multicast;  /**< of a tensor copy in a cluster: it brings its share to every work group */
    swp_place place; /**< where it is described, for diagnostics */
} swp_loop_op;

/** A warp role: who runs the ops that name it (docs/loops.md, "Warp roles"). */
typedef struct swp_loop_role {
    const char *name;
    int warps;     /**< of an instance, 1 to 32; 0: 4 where an op of it is a wgmma, else 1 */
    int instances; /**< 1 to SWP_MOST_INSTANCES; 0: 1 */
    int registers; /**< of 32 bits a thread, 24 to 256 in eights; 0: not stated */
} swp_loop_role;

typedef struct swp_loop {
    const char *name;
    const swp_problem_resource *units;
    size_t unit_count;
    /** Of each unit: it is a rate, such as a bandwidth, which ops share rather than lock; NULL: none is. */
    const bool *rates;
    const swp_loop_value *values;
    size_t value_count;
    const swp_loop_op *ops;
    size_t op_count;
    const swp_loop_role *roles;
    size_t role_count;
    bool roles_found;      /**< of a pipeline's loop: the search gave ops their roles */
    int64_t signal;        /**< cycles by which a dependence across roles is later */
    int cluster;           /**< work groups that run it side by side, up to 8; 0: 1 */
    int64_t shared_budget; /**< bytes of shared memory; 0: any */
    int lane_registers;    /**< budget of registers of 32 bits a lane; 0: any */
    /** Work groups that share a multiprocessor: the fewest, up to SWP_MOST_RESIDENT, and the most. 0: not stated, 1. */
    int least_resident;
    int most_resident;
    /** By swp_loop_limit(): `uses` hold units for so many of them; 0: for one. */
    int resident;
    int lanes; /**< of the work group; 0: not known, and a wave's bytes have no meaning */
    bool
        output_tiles; /**< of warp roles: it is run once for each output tile of a sequence (docs/roles-reference.md) */
    swp_objective objectives[SWP_OBJECTIVE_COUNT]; /**< most important first; each once */
    /** They come before cycles with waits; false: those cycles come first, then the room and the pass. */
    bool objectives_stated;
    swp_place place; /**< where it is described, for diagnostics */
} swp_loop;

/** Why an edge of the problem is there. */
#define SWP_LOOP_EDGES(X)                                                                          \
    X(SWP_LOOP_READS, 0, "reads")       /* read after write */                                     \
    X(SWP_LOOP_REPLACES, 1, "replaces") /* write after read, through the slots */                  \
    X(SWP_LOOP_REWRITES, 2, "rewrites") /* write after write */                                    \
    X(SWP_LOOP_WITHIN, 3, "within")     /* bounds the stages */
typedef enum swp_loop_edge_kind { SWP_LOOP_EDGES(SWP_NUMBERED) } swp_loop_edge_kind;
SWP_API const char *swp_loop_edge_name(swp_loop_edge_kind kind);

typedef struct swp_loop_edge {
    swp_loop_edge_kind kind;
    int value; /**< -1: none */
} swp_loop_edge;

/**
 * The dependences of a loop with so many slots, as a modulo problem and what its edges mean. The problem has the ops of
 * the loop, as the first instance of each role does them, and then op by op those of the other instances.
 */
typedef struct swp_loop_problem {
    swp_problem problem;
    const swp_loop_edge *edges; /**< one for each edge of the problem */
} swp_loop_problem;

/**
 * Refuses what is no loop: unknown values, numbers out of range, versions that no op writes.
 * @return SWP_INVALID with a diagnostic for each
 */
SWP_API swp_status swp_check_loop(swp_context *ctx, const swp_loop *loop);

/**
 * The dependences by dataflow (docs/loops.md).
 * @param slots  of each value; 0: without bound, so that nothing waits for a slot; NULL: all 0
 */
SWP_API swp_status swp_loop_dependences(swp_context *ctx, const swp_loop *loop, const int *slots,
                                        swp_loop_problem *out);

/** With these slots and stages no pipeline has an interval below `bound`. */
typedef struct swp_loop_refutation {
    const int *slots; /**< of each value; 0: without bound */
    int stages;       /**< at most; 0: any */
    int64_t bound;
    bool by_shift;    /**< shown for all shifts of instances one by one */
    const int *roles; /**< of each op, for which it holds; NULL: the loop leaves none to choose */
} swp_loop_refutation;

/** A use of a unit by an op of the bound's problem: an index into its uses. */
typedef struct swp_loop_use {
    int op;
    int use;
} swp_loop_use;

/**
 * Uses and dependences that a refutation rests on: no pipeline has an interval below the bound in which
 * all of these hold, whatever else is given up.
 */
typedef struct swp_loop_core {
    const swp_loop_use *uses; /**< by unit, then by op */
    size_t use_count;
    const int *edges; /**< of the bound's problem: by value */
    size_t edge_count;
    const int *values; /**< whose number of slots makes one of these edges */
    size_t value_count;
    bool minimal; /**< with any one of them given up there is one */
} swp_loop_core;

/**
 * Cycles that no order of issue does an iteration in, with its waits and barriers. With any one of what it
 * rests on given up, that is not shown.
 */
typedef struct swp_loop_order_bound {
    int64_t refuted;           /**< so many, and any fewer; 0: none beyond the interval */
    const char *const *queues; /**< names of counters and the like whose accesses end in order */
    size_t queue_count;
    const int *values; /**< that need a slot more than they may have */
    const int *slots;  /**< that each of these may have */
    size_t value_count;
} swp_loop_order_bound;

/** A software pipeline of a loop. What it points to lives as long as the context and the loop. */
typedef struct swp_pipeline {
    /** In which each op has the role that was found for it; with output tiles its ops of the pass clock alone. */
    const swp_loop *loop;
    swp_loop_problem problem; /**< with the slots */
    swp_answer answer;        /**< value: the interval; times of the problem's ops, from 0 */
    const int64_t
        *shifts; /**< cycles by which instances are behind the first: role by role, 1, 2, … */
    int stages;
    const int *stage;               /**< of each op, from 0: times / interval */
    const int *slots;               /**< of each value, 1 or more */
    int64_t bytes[SWP_SPACE_COUNT]; /**< by swp_space */
    int64_t any_interval;           /**< least interval without the budget */
    swp_loop_problem bound_problem; /**< with the most slots that the bound leaves room for… */
    swp_answer bound_answer;        /**< …its answer says what holds the interval */
    const int *bound_slots;         /**< of each value in it; 0: without bound */
    swp_loop_core bound_core;       /**< of SWP_BOUND_REFUTATION; else empty */
    bool interval_proven;           /**< no smaller interval is possible within bounds and budget */
    bool proven[SWP_OBJECTIVE_COUNT];       /**< by objective: least, given those before it */
    const swp_loop_refutation *refutations; /**< what the proofs of all of these come to */
    size_t refutation_count;
    swp_loop_order_bound order_bound; /**< by swp_compile_loop() */
    /** By swp_compile_loop(): what an iteration takes with waits where stated objectives are kept less well; 0: no less. */
    double fewest_cycles;
    int resident_fit; /**< by swp_compile_loop(): work groups that fit a multiprocessor; 0: no target says it */
    uint64_t work;
    int solved; /**< problems */
} swp_pipeline;

/**
 * The pipeline of the least interval, and among these of the least of each objective in their order.
 * The limits of the context hold for all of its problems together.
 * Registers are held to lane_registers of lanes, where both are known (swp_loop_limit() says so of a target).
 * @return SWP_OK also where a limit ended the search: `proven` says what is not known to be least.
 *         SWP_INFEASIBLE, with a diagnostic, where bounds on slots or the budget leave none.
 */
SWP_API swp_status swp_pipeline_loop(swp_context *ctx, const swp_loop *loop, swp_pipeline *out);

/** An op for the iteration `iteration` from its phase's base. */
typedef struct swp_loop_step {
    int op;
    int iteration;
} swp_loop_step;

typedef struct swp_loop_steps {
    swp_loop_step *items;
    size_t count;
    size_t capacity;
} swp_loop_steps;

/**
 * A pipeline written out. A run of N iterations is straight[N] where N < least; else the prologue,
 * the kernel (N - least) / unroll times, and epilogues[(N - least) % unroll]. The base of the
 * prologue and of straight lists is iteration 0; pass p of the kernel, and the epilogue after p
 * passes, have the base p * unroll. Iteration i uses slot i modulo slots of each value that it makes,
 * which is a constant in every list.
 */
typedef struct swp_loop_phases {
    int unroll; /**< iterations of a kernel pass */
    int least;  /**< stages - 1 */
    swp_loop_steps prologue;
    swp_loop_steps kernel;
    swp_loop_steps *epilogues; /**< `unroll` of them */
    swp_loop_steps *straight;  /**< `least` of them */
} swp_loop_phases;

/**
 * Prologue, kernel and epilogues of a pipeline.
 * @param rotating  slots are indexed by a register that moves on each pass: the kernel is not unrolled
 */
SWP_API swp_status swp_loop_expand(swp_context *ctx, const swp_pipeline *pipeline, bool rotating,
                                   swp_loop_phases *out);

/* ---- Describing a loop in C ---- */

/** Collects the parts of a loop. Its first failure sticks until swp_loop_done(). */
typedef struct swp_loop_builder swp_loop_builder;

enum { SWP_LOOP_OPERANDS = 16, SWP_LOOP_USES = 4 };

/** Numbers of units, values and roles count from 1 here, so that 0 ends a list. */
typedef struct swp_loop_op_args {
    const char *name;
    int64_t latency;
    swp_completion completion;
    int64_t read_cycles;
    int64_t issue;
    int accesses; /**< 0: 1 */
    int role;
    int roles[SWP_LOOP_OPERANDS]; /**< of which the search takes one, in place of `role` */
    bool reads_global;
    bool writes_global;
    struct {
        int unit;
        int64_t cycles;
        int64_t amount; /**< 0: 1 */
    } uses[SWP_LOOP_USES];
    struct {
        int value;
        int distance;
        int64_t latency;
    } reads[SWP_LOOP_OPERANDS];
    int writes[SWP_LOOP_OPERANDS];
    int least_slots; /**< of all that it writes; 0 with `most_slots`: 1 */
    int most_slots;  /**< 0: each has its own */
    int updates[SWP_LOOP_OPERANDS];
    int64_t update_latencies[SWP_LOOP_OPERANDS];
    swp_loop_when when;
    bool multicast;
    swp_role_clock clock;
} swp_loop_op_args;

typedef struct swp_loop_value_args {
    const char *name;
    swp_space space;
    int64_t bytes;
    int least_slots; /**< 0: 1 */
    int most_slots;
    swp_bytes_of bytes_of;
} swp_loop_value_args;

/** @return NULL if memory ran out. The context owns it. */
SWP_API swp_loop_builder *swp_loop_new(swp_context *ctx, const char *name);
/** @return the number of the unit, for uses; swp_loop_done() refuses a name of NULL */
SWP_API int swp_loop_add_unit(swp_loop_builder *builder, const char *name, int64_t capacity);
/** A unit that is a rate. @return the number of the unit, for uses; swp_loop_done() refuses a name of NULL */
SWP_API int swp_loop_add_rate(swp_loop_builder *builder, const char *name, int64_t capacity);
/** @return the number of the value, for reads, writes and updates */
SWP_API int swp_loop_add_value(swp_loop_builder *builder, swp_loop_value_args args);
/** @return the number of the role; swp_loop_done() refuses a name of NULL */
SWP_API int swp_loop_add_role(swp_loop_builder *builder, swp_loop_role role);
/** How many work groups run it side by side, of which a multicast reaches each: 1 to SWP_MOST_CLUSTER. */
SWP_API void swp_loop_set_cluster(swp_loop_builder *builder, int work_groups);
/** How many work groups share a multiprocessor, of which the search takes the best: 1 to SWP_MOST_RESIDENT. */
SWP_API void swp_loop_set_resident(swp_loop_builder *builder, int least, int most);
SWP_API void swp_loop_add_op(swp_loop_builder *builder, swp_loop_op_args args);
/** Hands out the loop, checked, with the default order of objectives. */
SWP_API swp_status swp_loop_done(swp_loop_builder *builder, swp_loop *out);

#ifndef __cplusplus
/* The name first, then named arguments:
 *     int a = swp_value(l, "A", .space = SWP_SPACE_SHARED, .bytes = 16384);
 *     swp_work(l, "LOAD_A", .uses = {{.unit = memory, .cycles = 16}}, .latency = 200, .writes = {a}); */
#define swp_value(builder, ...)                                                                    \
    swp_loop_add_value((builder), (swp_loop_value_args){.name = __VA_ARGS__})
#define swp_work(builder, ...) swp_loop_add_op((builder), (swp_loop_op_args){.name = __VA_ARGS__})
#endif

#ifdef __cplusplus
}
#endif
#endif
