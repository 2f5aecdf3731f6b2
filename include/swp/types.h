/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file types.h  Operations, dependence edges and schedule entries (docs/json.md, "body").
 *
 * Enumerators keep the published numbers; files and messages use the names in lower case.
 */
#ifndef SWP_TYPES_H
#define SWP_TYPES_H

#include "swp/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One row an enumerator: X(constant, number, name). The names are those of every file format. */
#define SWP_RESOURCES(X)                                                                           \
    X(SWP_GLOBAL_MEM, 0, "global_mem") /* counted by vmcnt */                                      \
    X(SWP_LDS, 1, "lds")               /* counted by lgkmcnt */                                    \
    X(SWP_MMA_UNIT, 2, "mma_unit")                                                                 \
    X(SWP_SCALAR, 3, "scalar") /* barriers, waits and hints */                                     \
    X(SWP_VALU, 4, "valu")     /* runs beside the MMA unit */                                      \
    X(SWP_RESOURCE_NONE, 255, "none")

#define SWP_ROLES(X)                                                                               \
    X(SWP_GLOBAL_LOAD, 0, "global_load")                                                           \
    X(SWP_SHARED_STORE, 1, "shared_store")                                                         \
    X(SWP_FRAGMENT_LOAD, 2, "fragment_load")                                                       \
    X(SWP_COMPUTE, 3, "compute")                                                                   \
    X(SWP_SYNC, 4, "sync")                                                                         \
    X(SWP_FENCE, 5, "fence")                                                                       \
    X(SWP_VALU_COMPUTE, 6, "valu_compute")                                                         \
    X(SWP_ROLE_NONE, 255, "none")

#define SWP_K_OFFSETS(X)                                                                           \
    X(SWP_K0, 0, "k0")                                                                             \
    X(SWP_K1, 1, "k1")                                                                             \
    X(SWP_K_NEXT, 2, "k_next")                                                                     \
    X(SWP_K_PREV, 3, "k_prev")                                                                     \
    X(SWP_K3, 4, "k3") /* from here on only where a pipeline needs them */                         \
    X(SWP_K4, 5, "k4")                                                                             \
    X(SWP_K5, 6, "k5")                                                                             \
    X(SWP_K6, 7, "k6")                                                                             \
    X(SWP_K7, 8, "k7")                                                                             \
    X(SWP_K8, 9, "k8")                                                                             \
    X(SWP_K_PREV2, 20, "k_prev2")                                                                  \
    X(SWP_K_PREV3, 21, "k_prev3")                                                                  \
    X(SWP_K_PREV4, 22, "k_prev4")                                                                  \
    X(SWP_K_PREV5, 23, "k_prev5")                                                                  \
    X(SWP_K_PREV6, 24, "k_prev6")                                                                  \
    X(SWP_K_PREV7, 25, "k_prev7")                                                                  \
    X(SWP_K_PREV8, 26, "k_prev8")                                                                  \
    X(SWP_K_NONE, 255, "none")

#define SWP_PHASES(X)                                                                              \
    X(SWP_PROLOGUE, 0, "prologue")                                                                 \
    X(SWP_KERNEL, 1, "kernel")                                                                     \
    X(SWP_EPILOGUE, 2, "epilogue")                                                                 \
    X(SWP_BEGIN, 3,                                                                                \
      "begin") /* of an output tile, as the next two (docs/roles-reference.md, "Output tiles") */  \
    X(SWP_END, 4, "end")                                                                           \
    X(SWP_DRAIN, 5, "drain") /* after the last one */

#define SWP_DEP_KINDS(X)                                                                           \
    X(SWP_FLOW, 0, "flow")     /* read after write */                                              \
    X(SWP_ANTI, 1, "anti")     /* write after read */                                              \
    X(SWP_OUTPUT, 2, "output") /* write after write */

/* The framework's own tags; a kernel's op tags are 0 to 127. Those from `arrive` on are of warp roles. */
#define SWP_INFRASTRUCTURE_TAGS(X)                                                                 \
    X(SWP_TAG_BARRIER, 128, "barrier")                                                             \
    X(SWP_TAG_WAIT_VM, 129, "wait_vm")                                                             \
    X(SWP_TAG_WAIT_LGKM, 130, "wait_lgkm")                                                         \
    X(SWP_TAG_SET_PRIO, 131, "set_prio")                                                           \
    X(SWP_TAG_SCHEDULE_BARRIER, 132, "schedule_barrier")                                           \
    X(SWP_TAG_SCHED_GROUP_BARRIER, 133, "sched_group_barrier")                                     \
    X(SWP_TAG_ARRIVE, 134, "arrive")                                                               \
    X(SWP_TAG_ARRIVE_EXPECT, 135, "arrive_expect")                                                 \
    X(SWP_TAG_WAIT_PHASE, 136, "wait_phase")                                                       \
    X(SWP_TAG_NAMED_SYNC, 137, "named_sync")                                                       \
    X(SWP_TAG_NAMED_ARRIVE, 138, "named_arrive")                                                   \
    X(SWP_TAG_MATRIX_COMMIT, 139, "matrix_commit")                                                 \
    X(SWP_TAG_MATRIX_WAIT, 140, "matrix_wait")                                                     \
    X(SWP_TAG_BULK_COMMIT, 141, "bulk_commit")                                                     \
    X(SWP_TAG_BULK_WAIT, 142, "bulk_wait")                                                         \
    X(SWP_TAG_BULK_WAIT_READ, 143, "bulk_wait_read")                                               \
    X(SWP_TAG_FENCE_ASYNC, 144, "fence_async")                                                     \
    X(SWP_TAG_MATRIX_FENCE, 145, "matrix_fence")                                                   \
    X(SWP_TAG_CLUSTER_ARRIVE, 146, "cluster_arrive")                                               \
    X(SWP_TAG_CLUSTER_WAIT, 147, "cluster_wait")                                                   \
    X(SWP_TAG_NONE, 255, "none")

typedef enum swp_resource { SWP_RESOURCES(SWP_NUMBERED) } swp_resource;
/** The kind of an op, `role` in files. Warp roles are those of a loop (loop.h). */
typedef enum swp_role { SWP_ROLES(SWP_NUMBERED) } swp_role;
/** Which K tile a load fetches, relative to the pass's base kb (swp_k_multiple). */
typedef enum swp_k_offset { SWP_K_OFFSETS(SWP_NUMBERED) } swp_k_offset;
typedef enum swp_phase { SWP_PHASES(SWP_NUMBERED) } swp_phase;
typedef enum swp_dep_kind { SWP_DEP_KINDS(SWP_NUMBERED) } swp_dep_kind;
enum {
    SWP_INFRASTRUCTURE_TAGS(SWP_NUMBERED) SWP_FIRST_INFRASTRUCTURE_TAG = 128,
    SWP_FIRST_ROLE_TAG = SWP_TAG_ARRIVE,
    SWP_LAST_ROLE_TAG = SWP_TAG_CLUSTER_WAIT
};

/* Which threads of an instance of a warp role execute an entry. */
#define SWP_THREADS(X)                                                                             \
    X(SWP_ALL_THREADS, 0, "all")                                                                   \
    X(SWP_ONE_THREAD, 1, "one") /* always the same */
typedef enum swp_threads { SWP_THREADS(SWP_NUMBERED) } swp_threads;

/* At whose mbarrier an entry of a cluster of work groups arrives (docs/roles-reference.md, "Clusters"). */
#define SWP_ARRIVAL_TARGETS(X)                                                                     \
    X(SWP_TO_OWN, 0, "own") /* of the own rank */                                                  \
    X(SWP_TO_ALL, 1, "all") /* of each rank, the own one included */
typedef enum swp_arrival_target { SWP_ARRIVAL_TARGETS(SWP_NUMBERED) } swp_arrival_target;

/* What the iterations of an op, and the turns of an mbarrier, count. */
#define SWP_ROLE_CLOCKS(X)                                                                         \
    X(SWP_PASS_CLOCK, 0, "pass") /* iterations */                                                  \
    X(SWP_TILE_CLOCK, 1, "tile") /* output tiles */
typedef enum swp_role_clock { SWP_ROLE_CLOCKS(SWP_NUMBERED) } swp_role_clock;

/** Returns "pass" or "tile". */
SWP_API const char *swp_role_clock_name(swp_role_clock clock);

/** Returns "all" or "one". */
SWP_API const char *swp_threads_name(swp_threads threads);

/** Returns "own" or "all". */
SWP_API const char *swp_arrival_target_name(swp_arrival_target to);

/** Ops of a loop that a schedule takes, and one more than its largest tag. */
#define SWP_MOST_SCHEDULE_OPS 1024
#define SWP_SCHEDULE_TAGS (SWP_MOST_SCHEDULE_OPS + 128)

/**
 * Returns the tag of a loop's op: its number up to 127, and 256 … for those from 128 on, past the
 * framework's.
 */
SWP_API int swp_tag_of_loop_op(int op);

/** Returns the number of the loop's op of a tag, which is none of the framework's. */
SWP_API int swp_loop_op_of_tag(int tag);

/** Return the name of an enumerator, such as "global_load"; "?" for a number that is none. */
SWP_API const char *swp_resource_name(swp_resource resource);
SWP_API const char *swp_role_name(swp_role role);
SWP_API const char *swp_k_offset_name(swp_k_offset k_offset);
SWP_API const char *swp_phase_name(swp_phase phase);
SWP_API const char *swp_dep_kind_name(swp_dep_kind kind);

/** Find the enumerator of a name. @return false, and `*out` unchanged, if there is none. */
SWP_API bool swp_resource_from_name(const char *name, swp_resource *out);
SWP_API bool swp_role_from_name(const char *name, swp_role *out);
SWP_API bool swp_k_offset_from_name(const char *name, swp_k_offset *out);
SWP_API bool swp_dep_kind_from_name(const char *name, swp_dep_kind *out);

/** Returns the resource that an op of the kind uses, unless its cost says otherwise. */
SWP_API swp_resource swp_role_resource(swp_role role);

/** Returns whether an op of the kind reads or writes LDS, so that its `stage` is a slot there. */
SWP_API bool swp_role_has_stage(swp_role role);

/** Returns the multiple of BK that a k offset adds to kb: K1 is 1, K_NEXT 2, K_PREV -1, K_PREV2 -2, NONE 0. */
SWP_API int swp_k_multiple(swp_k_offset k_offset);

/** Finds the k offset of a multiple. @return false, and `*out` unchanged, if none names it. */
SWP_API bool swp_k_offset_of(int multiple, swp_k_offset *out);

/**
 * An operation (OpDesc). `stage`, the slot in LDS, and `subtile` name a place for loads and
 * fragments, a row and a column for a COMPUTE. Build one with a function below: zero-initialised is not the default.
 */
typedef struct swp_op {
    int tag; /**< 0..127 a kernel's; 128..255 the framework's; 256.. a loop's; SWP_TAG_NONE: no op */
    int stage;   /**< slot in LDS, or the row of a COMPUTE */
    int subtile; /**< quadrant, or the column of a COMPUTE; mask of sched_group_barrier */
    swp_k_offset k_offset;
    int vm_cost;    /**< counted vmcnt accesses */
    int lgkm_cost;  /**< counted lgkmcnt accesses */
    int wait_value; /**< n of a wait, priority of set_prio, count of sched_group_barrier */
    swp_resource resource;
    int latency;   /**< cycles */
    swp_role role; /**< kind */
    int channel;   /**< 0 = A, 1 = B, -1 = none */
    int vgpr_def;  /**< registers that become live */
    int vgpr_kill; /**< registers that are released */
    int iteration; /**< of an op with a dataflow (compile.h): iterations after its list's base */
    /* Members of an entry of a warp role (docs/roles-reference.md). */
    int object;    /**< index of the sync object that it works on, or completes on; -1: none */
    int slot;      /**< of a named barrier, for instance 0… */
    int slot_step; /**< …and by how much it moves on from one instance to the next */
    int bytes;     /**< that an arrival expects, or a copy brings */
    swp_threads by;
    int instances;         /**< bit i: instance i executes it; 0: all do */
    swp_arrival_target to; /**< of an `arrive` in a cluster */
} swp_op;

/** Returns no op: tag NONE and every other field at its default. */
SWP_API swp_op swp_op_none(void);

/** Returns a logical op: what the kernel says of it; costs come later from swp_annotate_ops(). */
SWP_API swp_op swp_op_logical(int tag, int channel, int stage, int subtile, swp_k_offset k_offset);

/** Infrastructure ops. Waits and the barrier are of kind SYNC, the others FENCE; all are SCALAR. */
SWP_API swp_op swp_op_barrier(void);
SWP_API swp_op swp_op_wait_vm(int outstanding);
SWP_API swp_op swp_op_wait_lgkm(int outstanding);
SWP_API swp_op swp_op_set_prio(int priority);
SWP_API swp_op swp_op_schedule_barrier(void);
SWP_API swp_op swp_op_sched_group_barrier(int mask, int count);

/** Returns whether there is an op at all (its tag is not NONE). */
SWP_API bool swp_op_present(const swp_op *op);

/** Returns whether the op exists only for a later iteration: present, with a k offset of 0 or more. */
SWP_API bool swp_op_is_prefetch(const swp_op *op);

/** Returns the fixed name of a framework tag such as "wait_vm"; NULL for a kernel's own tag. */
SWP_API const char *swp_infrastructure_name(int tag);

/** Finds the framework tag of a fixed name. @return false, and `*tag` unchanged, if it is none. */
SWP_API bool swp_infrastructure_tag(const char *name, int *tag);

/** A caller's names for its tags. A NULL function, or a NULL answer, means "op<tag>". */
typedef struct swp_op_namer {
    const char *(*name)(const void *user, int tag);
    const void *user;
} swp_op_namer;

#define SWP_OP_NAME_SIZE 64

/** Returns the name of any tag: the framework's, the namer's, or "op<tag>" written into `buffer`. */
SWP_API const char *swp_op_name(const swp_op_namer *namer, int tag, char buffer[SWP_OP_NAME_SIZE]);

/** Names ops in later diagnostics of the context. NULL removes the names. */
SWP_API void swp_context_set_op_namer(swp_context *ctx, const swp_op_namer *namer);

/** A dependence (DepEdge): the consumer reads (or replaces) what the producer made `distance` iterations ago. */
typedef struct swp_edge {
    int producer; /**< index of an op */
    int consumer; /**< index of an op */
    swp_dep_kind kind;
    int distance; /**< loop distance d >= 0; t(consumer) - t(producer) >= latency - II * d */
} swp_edge;

/** An op in its place in a phase (ScheduleEntry). */
typedef struct swp_entry {
    swp_op op;
    int time_slot; /**< ordinal in its phase, from 0 */
    swp_phase phase;
    bool is_prefetch; /**< the load only makes sense if a next iteration exists */
} swp_entry;

/* Growable lists; zero-initialise, let a context's functions fill them, read `items` and `count`. */
typedef struct swp_op_list {
    swp_op *items;
    size_t count;
    size_t capacity;
} swp_op_list;

typedef struct swp_edge_list {
    swp_edge *items;
    size_t count;
    size_t capacity;
} swp_edge_list;

typedef struct swp_entry_list {
    swp_entry *items;
    size_t count;
    size_t capacity;
} swp_entry_list;

/** A permutation of a body: items[i] is the index of the op in position i. */
typedef struct swp_order {
    int *items;
    size_t count;
    size_t capacity;
} swp_order;

/** Appends a copy. @return SWP_OK or SWP_OUT_OF_MEMORY. */
SWP_API swp_status swp_op_list_push(swp_context *ctx, swp_op_list *list, swp_op op);
SWP_API swp_status swp_edge_list_push(swp_context *ctx, swp_edge_list *list, swp_edge edge);
SWP_API swp_status swp_entry_list_push(swp_context *ctx, swp_entry_list *list, swp_entry entry);

#ifdef __cplusplus
}
#endif
#endif
