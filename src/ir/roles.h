/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules with warp roles: which they are, and which have a meaning (docs/roles-reference.md). */
#ifndef SWP_IR_ROLES_H
#define SWP_IR_ROLES_H

#include "swp/compile.h"

/* What the hardware has, of each number here alone (PTX ISA, "wgmma", "setmaxnreg", "mbarrier"). */
enum {
    SWP_IR_WARP_THREADS = 32,
    SWP_IR_GROUP_WARPS = 4,        /* that issue wgmmas, and change their registers, together */
    SWP_MOST_ROLE_WARPS = 32,      /* of an instance, and of a work group */
    SWP_LEAST_ROLE_REGISTERS = 24, /* a thread… */
    SWP_MOST_ROLE_REGISTERS = 256,
    SWP_ROLE_REGISTERS_STEP = 8,        /* …in multiples of that */
    SWP_IR_MOST_PENDING = (1 << 20) - 1 /* arrivals, or bytes, of a phase of an mbarrier */
};

static inline bool swp_ir_can_set_registers(int registers)
{
    return registers >= SWP_LEAST_ROLE_REGISTERS && registers <= SWP_MOST_ROLE_REGISTERS &&
           registers % SWP_ROLE_REGISTERS_STEP == 0;
}

/* Its streams say how many warps run them. */
static inline bool swp_ir_has_roles(const swp_schedule *schedule)
{
    return schedule->streams[0].warps > 0;
}

/* The name of the role whose warps run a stream; NULL: it is everybody's. */
static inline const char *swp_ir_role_name(const swp_schedule *schedule, int stream)
{
    return schedule->streams[stream].warps > 0 ? schedule->streams[stream].name : NULL;
}

/* The last of its lists by number; without output tiles the others are empty. */
static inline swp_phase swp_ir_last_list(const swp_schedule *schedule)
{
    return schedule->output_tiles ? SWP_DRAIN : SWP_EPILOGUE;
}

/* Work groups that run its lists side by side. */
static inline int swp_ir_ranks(const swp_schedule *schedule)
{
    return schedule->cluster > 1 ? schedule->cluster : 1;
}

static inline bool swp_ir_runs_in(const swp_op *op, int instance)
{
    return op->instances == 0 || (op->instances >> instance & 1) != 0;
}

/*
 * Refuses a schedule with warp roles that has no meaning: operations on objects of another kind, threads that
 * cannot execute an op, dataflow beyond docs/roles-reference.md, "What ops do".
 */
swp_status swp_ir_check_roles(swp_context *ctx, const swp_schedule *schedule);

/* The same, and its loop has a meaning: asked by whoever knows warp roles before anything else. */
swp_status swp_ir_check_role_loop(swp_context *ctx, const swp_schedule *schedule);

/* Bytes of shared memory that an op of an instance writes: its share, and in a cluster one work group's part of a multicast. */
int64_t swp_ir_written_bytes(const swp_loop *loop, const swp_loop_op *op, int instances, int ranks);

/* The warps of a role: those of its instances, then others that are beside them in their warp group. */
typedef struct swp_ir_warps {
    int first;
    int end;
} swp_ir_warps;

/* Where a role's warps stand, in the order of the roles; all of them, and those that are no instance's. */
swp_ir_warps swp_ir_role_warps(const swp_schedule *schedule, size_t role);
int swp_ir_all_warps(const swp_schedule *schedule);
int swp_ir_instance_warps(const swp_schedule *schedule);

/* Registers a thread that a work group of all warps is launched with, where it has the multiprocessor alone. */
int swp_ir_launch_registers(const swp_schedule *schedule);

/* The number that a named barrier's slot 0 has behind X_FIRST_BARRIER, or an mbarrier's among all. */
int swp_ir_first_slot(const swp_schedule *schedule, size_t object);
/* Slots of all of its objects of a kind. */
int swp_ir_object_slots(const swp_schedule *schedule, swp_role_object_kind kind);

/* Bytes that arrivals of a pass expect of an mbarrier's phase, whose turn is `turn` modulo the iterations of a pass. */
int64_t swp_ir_phase_bytes(const swp_schedule *schedule, int object, int turn);
/* The most that they, or those of one of the other lists, expect of a phase. */
int64_t swp_ir_most_phase_bytes(const swp_schedule *schedule, int object);

/* Of one that has a meaning: what its instructions take, of warps, registers and bytes. */
swp_status swp_ir_check_role_hardware(swp_context *ctx, const swp_schedule *schedule);

/* Who issues an op, and the slots that it finds. */
typedef struct swp_op_issuer {
    const char *role;
    int warps;        /* of an instance */
    const int *slots; /* of each value; NULL: not yet known, the least */
} swp_op_issuer;

/* Whether a wgmma finds its accumulator where it left it: swp_ir_check_roles() asks this, too. */
swp_status swp_ir_check_accumulators(swp_context *ctx, const struct swp_loop *loop,
                                     const swp_op_issuer *by, const swp_loop_op *work);
/* The part of it about one op, whose copy brings so many bytes for an instance and a work group. */
swp_status swp_ir_check_op_hardware(swp_context *ctx, const struct swp_loop *loop,
                                    const swp_op_issuer *by, const struct swp_loop_op *work,
                                    int64_t bytes);

/* The same of all ops of a loop, before times and slots are known: each has its role and the object that it completes on. */
swp_status swp_ir_check_loop_hardware(swp_context *ctx, const struct swp_loop *loop);

/* The part of it about the warps of all roles together, which the streams state. */
swp_status swp_ir_check_all_warps(swp_context *ctx, const swp_schedule *schedule);

/* Refuses a store group of a loop without warp roles; NULL: there is no loop. */
swp_status swp_ir_check_store_groups(swp_context *ctx, const struct swp_loop *loop);

/* The part of it about ops and values, where each op has a role. */
swp_status swp_ir_check_role_dataflow(swp_context *ctx, const struct swp_loop *loop,
                                      const int *role_of_op);

/* Whether that refuses nothing where one role does all ops. */
bool swp_ir_loop_fits_one_role(const struct swp_loop *loop);

/* --- Output tiles --- */

/* What an entry's iteration counts. */
swp_role_clock swp_ir_entry_clock(const swp_schedule *schedule, const swp_op *op);

/* An op of the pass clock makes the value; ops of the tile clock alone do; ops of both do. */
bool swp_ir_is_of_passes(const struct swp_loop *loop, int value);
bool swp_ir_is_of_tiles(const struct swp_loop *loop, int value);
bool swp_ir_is_cleared(const struct swp_loop *loop, int value);

/* What is wrong with something, and what would be right. */
typedef struct swp_ir_problem {
    const char *what;
    const char *hint;
} swp_ir_problem;

/* What is wrong with an entry in a list of its role; NULL: nothing. */
const swp_ir_problem *swp_ir_tile_problem(const swp_schedule *schedule, swp_phase list,
                                          const swp_op *op);

/* Whether ops of the two clocks touch values as they may. */
swp_status swp_ir_check_tile_dataflow(swp_context *ctx, const struct swp_loop *loop);

/* The part of swp_ir_check_roles() about clocks of objects, ops and values. */
swp_status swp_ir_check_tiles(swp_context *ctx, const swp_schedule *schedule);

/* --- Clusters --- */

/* What is wrong with an entry of a role where the cluster is of so many work groups; NULL: nothing. */
const swp_ir_problem *swp_ir_cluster_problem(const swp_schedule *schedule, const swp_stream *stream,
                                             const swp_op *op);

/* Whether the schedule of a loop has warp roles: there are several, or one says who it is. */
bool swp_ir_loop_has_roles(const struct swp_loop *loop);

#endif
