/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file compile.h  From a schedule definition to a schedule (docs/schedules.md; the published
 * compiler: PipelineSchedule, ScheduleCompiler, compile_schedule).
 */
#ifndef SWP_COMPILE_H
#define SWP_COMPILE_H

#include "swp/geometry.h"
#include "swp/phase.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A schedule definition (the trait PipelineSchedule). `config` and `build_body` are required; a NULL
 * elsewhere means the default. `self` is handed to each.
 */
typedef struct swp_pipeline_schedule {
    const void *self;
    const char *name;        /**< for the record, or NULL */
    const char *target;      /**< its name, for the record, or NULL */
    swp_tile_shape geometry; /**< for the record; elem_bytes 0: unknown */
    swp_wave_layout layout;  /**< of that geometry */
    swp_op_namer op_namer;   /**< names of kernel tags */
    /** Pipeline structure. */
    swp_status (*config)(const void *self, swp_context *ctx, swp_pipeline_config *out);
    /** One pass of the loop, annotated. */
    swp_status (*build_body)(const void *self, swp_context *ctx, swp_op_list *out);
    /** Default: swp_derive_edges_from_ops(). */
    swp_status (*derive_edges)(const void *self, swp_context *ctx, const swp_op_list *body,
                               swp_edge_list *out);
    /** Default: swp_schedule_config_default(). */
    swp_status (*schedule_config)(const void *self, swp_context *ctx, swp_schedule_config *out);
    /** Single buffer only. Default: the entries as they are. */
    swp_status (*transform_kernel)(const void *self, swp_context *ctx, const swp_op_list *body,
                                   swp_entry_list *kernel);
    /** Double buffer only. Leaves `out` empty, or gives one list per block. Default: empty. */
    swp_status (*build_explicit_blocks)(const void *self, swp_context *ctx, const swp_op_list *body,
                                        const swp_program *program, swp_op_lists *out);
    /** Double buffer only. Default: none. */
    swp_status (*bootstrap_frags)(const void *self, swp_context *ctx, swp_op_list *out);
    /** The machine it is made for; stagger index filled in later. Default: one group, raw, managed. */
    swp_status (*machine)(const void *self, swp_context *ctx, swp_machine *out);
} swp_pipeline_schedule;

/** How passes map to tiles. */
typedef struct swp_loop_shape {
    int tiles_per_pass;
    int first_base; /**< tile index of kb in pass 0 */
    int min_tiles;  /**< least N */
    int multiple;   /**< N is a multiple of this; 1: any N, with the lists of swp_tails */
    int m_mmas;
    int n_mmas;
    swp_placement placement;
} swp_loop_shape;

/** Figures of a compiled schedule. A figure that does not apply is -1. */
typedef struct swp_metrics {
    int64_t makespan;    /**< cycles of one pass by the resource model */
    int64_t lower_bound; /**< cycles, proven */
    int64_t vgpr_peak;
    bool optimal;
    bool stopped;  /**< a limit stopped a search: the best order so far is used */
    bool seed;     /**< the greedy seed is the answer */
    uint64_t work; /**< search nodes */
    int wait_lgkm_first;
    int wait_vm_last;
} swp_metrics;

/** What derived synchronisation made of the kernel phase (docs/scheduling.md). */
typedef struct swp_sync_result {
    int barriers;       /**< of a kernel pass */
    int least_barriers; /**< that any placement needs, proven */
    int64_t cycles;     /**< of `passes` passes in the steady state */
    int passes;         /**< 0: the synchronisation was not derived */
    int64_t bound;      /**< proven of `cycles`: no placement takes fewer; 0: nothing is */
    bool optimal;       /**< the fewest cycles, and of these the fewest barriers; proven */
    uint64_t work;      /**< placements tried and proofs made */
} swp_sync_result;

/**
 * What swp_simulate() counts in the steady state by the figures of a target file, of a body or of warp roles that are
 * compiled with one (docs/simulation.md, "A block by figures", "Roles by figures"); of roles it is what `sync` says, too.
 */
typedef struct swp_counted_cycles {
    int64_t cycles; /**< of `passes` passes */
    int passes;     /**< 0: there is no such file, or no steady state */
} swp_counted_cycles;

/**
 * What makes any number of tiles legal: a run of N < min_tiles tiles is straight[N], with nothing
 * before and after; another one with a remainder r of (N - min_tiles) modulo tiles_per_pass ends with
 * epilogues[r - 1] in place of the epilogue. Both lists are empty where N is a multiple.
 */
typedef struct swp_tails {
    swp_entry_list *epilogues; /**< of the remainders 1 … tiles_per_pass - 1 */
    size_t epilogue_count;
    swp_entry_list *straight; /**< of N = 0 … min_tiles - 1 */
    size_t straight_count;
} swp_tails;

/** How many streams a schedule may have: more warp roles than any block of threads has use for. */
#define SWP_MOST_STREAMS 16

/** What the warps of one role run. */
typedef struct swp_stream {
    const char *name; /**< of the warp role; NULL or "": the only one */
    int warps;        /**< of an instance, 1 or more; 0: not stated, in a schedule of one role */
    int instances;    /**< that run the same lists, each on its own share of the work */
    int registers;    /**< of 32 bits a thread; 0: not stated */
    swp_entry_list prologue;
    swp_entry_list kernel;
    swp_entry_list epilogue;
    swp_tails tails;
    swp_entry_list begin; /**< of each output tile, before its other lists… */
    swp_entry_list end;   /**< …behind them… */
    swp_entry_list drain; /**< …and behind the last tile; all empty without output tiles */
} swp_stream;

/* What orders the instances of warp roles (docs/roles-reference.md, "Objects"). */
#define SWP_ROLE_OBJECTS(X)                                                                        \
    X(SWP_OBJECT_MBARRIER, 0, "mbarrier")                                                          \
    X(SWP_OBJECT_NAMED_BARRIER, 1, "named_barrier")
typedef enum swp_role_object_kind { SWP_ROLE_OBJECTS(SWP_NUMBERED) } swp_role_object_kind;

/** An mbarrier for each slot, or a named barrier for each. */
typedef struct swp_role_object {
    const char *name;
    swp_role_object_kind kind;
    int slots;            /**< 1 or more */
    int arrivals;         /**< of an mbarrier: threads that arrive in a phase */
    int threads;          /**< of a named barrier: of all of its participants together */
    swp_role_clock clock; /**< of an mbarrier: what its turns count */
} swp_role_object;

/** Returns the name of a kind: "mbarrier" or "named_barrier". */
SWP_API const char *swp_role_object_kind_name(swp_role_object_kind kind);

/** What instances of warp roles execute in a pass to wait for one another (docs/roles-proof.md, "Derivation"). */
typedef struct swp_role_counts {
    int mbarriers;      /**< objects */
    int named_barriers; /**< objects */
    int waits;          /**< for phases and at barriers, of each instance */
    int arrivals; /**< of threads: one of an elected thread is 1, one of all threads their number; in a cluster at each work group */
    int group_waits; /**< for matrix and bulk-store groups, of each instance */
    int fences;      /**< of either kind, of each instance */
} swp_role_counts;

/** Most instances of a role, and most objects of a schedule. */
enum { SWP_MOST_INSTANCES = 16, SWP_MOST_ROLE_OBJECTS = 64 };

/** Most work groups of a cluster, as every device of sm_90 takes. */
enum { SWP_MOST_CLUSTER = 8 };

struct swp_pipeline;
struct swp_kept_pipeline;
struct swp_loop;

/**
 * What the ops of a schedule read and write where their kinds do not say it: entry.op.tag is an op of
 * the loop, done for the iteration `base + entry.op.iteration`. Pass p of the kernel, and the epilogue
 * after p passes, have the base p * tiles_per_pass, the other lists 0 (docs/loops-proof.md, "What an entry
 * does").
 */
typedef struct swp_loop_dataflow {
    const struct swp_loop *loop; /**< with one role */
    const int *slots;            /**< of each value, 1 or more */
} swp_loop_dataflow;

/** A compiled schedule (ScheduleCompiler after compile()). It owns its memory. */
typedef struct swp_schedule {
    const char *name;
    const char *target; /**< "" if unknown */
    swp_pipeline_config config;
    swp_schedule_config schedule;
    swp_machine machine;
    swp_loop_shape loop;
    swp_tile_shape geometry; /**< elem_bytes 0: unknown */
    swp_wave_layout layout;  /**< of that geometry */
    swp_op_list body;
    const char **
        op_names; /**< of tags, never NULL: SWP_KERNEL_TAGS, or SWP_SCHEDULE_TAGS with a dataflow */
    swp_edge_list edges;
    swp_order order;
    swp_program program; /**< no blocks for a single buffer, or when read from JSON */
    swp_stream streams[SWP_MOST_STREAMS]; /**< one for each warp role, which run side by side */
    size_t stream_count;
    const swp_role_object *objects; /**< of warp roles */
    size_t object_count;
    bool
        output_tiles; /**< of warp roles: a run is a sequence of output tiles (docs/roles-reference.md) */
    bool
        drops_loop_barrier; /**< no barrier but those of the lists stands before the loop (docs/json.md, "loop") */
    int cluster; /**< of warp roles: work groups that run side by side, up to 8 (docs/roles-reference.md, "Clusters"); 0: 1 */
    const struct swp_pipeline *pipeline;           /**< of a loop (loop.h); NULL: there is none */
    const struct swp_kept_pipeline *kept_pipeline; /**< private: of one that was read from JSON */
    const swp_loop_dataflow *dataflow; /**< NULL: the kinds of the ops say what they do */
    swp_edge_list kernel_deps;
    int warp_stagger_index;
    int lgkm_per_load_a;
    int lgkm_per_load_b;
    swp_metrics metrics;
    swp_sync_result sync; /**< of derived synchronisation */
    swp_counted_cycles by_figures;
    struct swp_arena *arena; /**< private */
} swp_schedule;

/**
 * compile_schedule: makes body, edges, order, program, phases and stagger index.
 * @param out  a schedule that swp_schedule_free() frees; NULL on failure
 * @return SWP_OK also if a limit stopped the search with an answer: then metrics.stopped is true
 * and a warning says so.
 */
SWP_API swp_status swp_compile_schedule(swp_context *ctx, const swp_pipeline_schedule *definition,
                                        swp_schedule **out);

/**
 * Checks that the shape of a loop has a meaning: N is `min_tiles` and whole passes, each number of
 * them, and always a multiple of `multiple`, which is the tiles of a pass. swp_verify(), the runs
 * and swp_simulate() ask this first.
 * @return SWP_INVALID, with a diagnostic, if it has none
 */
SWP_API swp_status swp_loop_shape_check(swp_context *ctx, const swp_loop_shape *loop);

/**
 * Checks the same of a whole schedule, which may have lists for any number of tiles (swp_tails).
 * With warp roles the entries, objects and dataflow must have a meaning, too. Several streams
 * without roles have none together.
 */
SWP_API swp_status swp_schedule_check_loop(swp_context *ctx, const swp_schedule *schedule);

/** Returns whether a shape that has a meaning takes so many tiles. */
SWP_API bool swp_loop_shape_takes(const swp_loop_shape *loop, int n);

/** Frees a schedule and all that it owns. NULL is allowed. */
SWP_API void swp_schedule_free(swp_schedule *schedule);

/** Returns the name of an op of this schedule: the framework's or the kernel's; "?" if it has none. */
SWP_API const char *swp_schedule_op_name(const swp_schedule *schedule, int tag);

/** Returns how many forms a schedule has: one, or one for each remainder and each N below min_tiles. */
SWP_API int swp_schedule_forms(const swp_schedule *schedule);

/**
 * Returns one form as a schedule of its own, which shares everything with this one. Forms 0 to
 * tiles_per_pass - 1 are those of the remainders, with the N that they take. The others are those
 * of N = 0, 1 …, which take no pass: their tiles_per_pass is 0.
 */
SWP_API swp_schedule swp_schedule_form(const swp_schedule *schedule, int form);

/** Returns the form that runs N tiles, or -1 if none does. */
SWP_API int swp_schedule_form_of(const swp_schedule *schedule, int n);

/** Counts what a pass of the kernel has; all is 0 for a schedule without warp roles. */
SWP_API swp_role_counts swp_count_role_sync(const swp_schedule *schedule);

/** Returns the entries of a phase of a stream. */
SWP_API const swp_entry_list *swp_stream_phase(const swp_stream *stream, swp_phase phase);

/** Returns the entries of a phase of the first stream: the only one of a schedule without warp roles. */
SWP_API const swp_entry_list *swp_schedule_phase(const swp_schedule *schedule, swp_phase phase);

#ifdef __cplusplus
}
#endif
#endif
