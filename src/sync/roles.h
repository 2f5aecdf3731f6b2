/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Synchronisation of a schedule with warp roles, on its way (docs/roles-proof.md, "Derivation").
 *
 * A role does all of its ops in each step of the pipeline, in the same order. A *point* is a place before or after an op of
 * a step: 2 × (step × ops + position), and 1 more after the op. What stands at a point for version 0 stands as many
 * steps later for version v as v says, so each piece of synchronisation is found once, for version 0.
 */
#ifndef SWP_SYNC_ROLES_H
#define SWP_SYNC_ROLES_H

#include "base/context.h"
#include "ir/roles.h"
#include "pipeline/loop_waits.h"
#include "swp/loop.h"

/* An operation that all versions of something have at their points. */
typedef struct swp_role_item {
    int point; /* of version 0 */
    int tag;
    int object; /* -1: none */
    int turn;   /* of version 0 */
    int bytes;
    swp_threads by;
    int least;      /* the first version that has it… */
    int ahead;      /* …the last is N - 1 - ahead */
    int given_back; /* the channel of which it gives a slot back; -1: it does not */
    swp_arrival_target to;
    bool dropped;
} swp_role_item;

/* At a point an asynchronous op has to be retired. */
typedef struct swp_role_need {
    int point;  /* of version 0 */
    int target; /* position of the op in its role */
    int shift;  /* its iteration, of version 0 */
    int least;
    int ahead;
    int given_back;
    bool dropped;
} swp_role_need;

typedef struct swp_role_items {
    swp_role_item *items;
    size_t count;
    size_t capacity;
} swp_role_items;

typedef struct swp_role_needs {
    swp_role_need *items;
    size_t count;
    size_t capacity;
} swp_role_needs;

/* A role with what was found for it: for its ops in passes, or for those that it does once an output tile. */
typedef struct swp_role_plan {
    bool of_tiles;
    int warps;
    int instances;
    int threads; /* of an instance */
    int *ops;    /* of the loop, by position */
    int count;
    swp_role_items items; /* in the order in which they stand at one point */
    swp_role_needs needs;
    bool *commits; /* by position: a group ends behind the op */
    bool *fences;  /* by position: registers need a fence before the op */
} swp_role_plan;

/* How a role uses the versions of a channel. */
typedef struct swp_role_use {
    bool reads;
    bool ordinary;     /* ordinary instructions are among the readers… */
    bool asynchronous; /* …and asynchronous ones */
    bool by_one;       /* one thread does all of it */
    int oldest;        /* version that it reads, of those before the loop: 0 or less */
    int first;         /* point before the first reader */
    int done;          /* point behind the last reader */
    int last;          /* point from which on the slot is free */
} swp_role_use;

/*
 * Shared values that are handed on together, from one role's ops that stand side by side. Values of other slots have a
 * channel of their own, even of the same op: their places are free at other times.
 */
typedef struct swp_role_channel {
    int role;
    int lead; /* the first channel of its ops, which they are full for; its own number where it is the only one */
    int first; /* positions of its makers */
    int last;
    int next;       /* position of what makes over them */
    int part;       /* which of a version's makers; where there are several, each has a channel */
    bool copies;    /* else ordinary stores */
    bool multicast; /* among them is one to all work groups of the cluster */
    int *values;
    size_t value_count;
    int slots; /* of each of its values */
    int reuse; /* iterations until then: as many, 0 where a later maker of the same version does */
    int bytes;
    int oldest; /* version whose slot is given back: 0, or -slots where versions before the loop are read */
    int full; /* objects; -1: none */
    int empty;
    int early;          /* step in which version 0 is given back first */
    swp_role_use *uses; /* by role */
} swp_role_channel;

/* The registers of a thread: those that need a fence before a wgmma may access them. */
typedef struct swp_role_registers {
    bool (*unfenced)[SWP_MOST_SLOTS]; /* of each value */
    bool accessed;                    /* by ordinary instructions since the last fence */
} swp_role_registers;

typedef struct swp_roles {
    swp_context *ctx;
    swp_schedule *schedule;
    const swp_pipeline *pipeline;
    const swp_loop *loop; /* with completions that name their objects */
    bool output_tiles;
    int passes; /* the first of the ops that stand for a tile's passes, one for each role (roles_tiles.c) */
    int least; /* stages - 1 */
    int unroll;
    bool prompt; /* asynchronous readers are retired right behind their issue */
    int extra; /* steps of the kernel that stand in the prologue, so that all versions in a pass exist */
    swp_role_plan *plans; /* of each role; with output tiles then of what each does once a tile */
    int plan_count;
    int *position;                               /* of each op in its role */
    struct swp_role_register_accesses *accesses; /* of registers by each op (roles_registers.c) */
    struct {
        swp_role_channel *items;
        size_t count;
        size_t capacity;
    } channels;
    struct {
        swp_role_object *items;
        size_t count;
        size_t capacity;
    } objects;
    int *number; /* of each object in the schedule; -1: nothing is left of it */
} swp_roles;

/* --- Points (roles_points.c) --- */

int swp_sync_roles_floor(int a, int b);
/* The step of a point, and of an op for an iteration. */
int swp_sync_roles_step(const swp_role_plan *plan, int point);
int swp_sync_roles_step_of(const swp_roles *r, int op, int iteration);
int swp_sync_roles_iteration(const swp_roles *r, int op, int step);
/* The point before an op for an iteration, and behind it. */
int swp_sync_roles_before(const swp_roles *r, int op, int iteration);
int swp_sync_roles_after(const swp_roles *r, int op, int iteration);
/* The point before the first op of the role that is issued when an asynchronous one is done. */
int swp_sync_roles_retired(const swp_roles *r, int op, int iteration, int64_t within);

swp_completion swp_sync_roles_completion(const swp_roles *r, int op);
bool swp_sync_roles_is_asynchronous(const swp_roles *r, int op);

/* --- Output tiles (roles_tiles.c) --- */

/* Lets a loop with output tiles be one in which what a role does once a tile is another role's, with an op for all passes. */
swp_status swp_sync_roles_split_clocks(swp_roles *r, const swp_loop *loop);
/* Whether an op stands for passes in which asynchronous ones read the value. */
bool swp_sync_roles_passes_read_late(const swp_roles *r, int op, int value);

/* --- Values that several ops make (roles_in_place.c) --- */

bool swp_sync_roles_has_several_makers(const swp_roles *r, int value);
/* Which of its makers an op is, from 0, and which op makes over it: behind the last one the first. */
int swp_sync_roles_part(const swp_roles *r, int op, int value);
int swp_sync_roles_next_maker(const swp_roles *r, int op, int value);
/* Whether an op reads what a channel hands on of one of its values. */
bool swp_sync_roles_is_of_channel(const swp_roles *r, const swp_role_channel *channel, int op,
                                  const swp_loop_read *read);

/* --- What is found, in this order --- */

/* Channels, their objects, and who uses them (roles_channels.c). */
swp_status swp_sync_roles_find_channels(swp_roles *r);
/* Registers: what has to be retired before they are accessed, and fences (roles_registers.c). */
swp_status swp_sync_roles_find_register_needs(swp_roles *r);
swp_status swp_sync_roles_find_fences(swp_roles *r);
/* All of them as they are where a thread begins (`unfenced`), or in the steady state. */
swp_status swp_sync_roles_registers_new(const swp_roles *r, bool unfenced, swp_role_registers *out);
bool swp_sync_roles_needs_fence(const swp_roles *r, const swp_role_registers *file, int op,
                                int iteration);
void swp_sync_roles_fence(const swp_roles *r, swp_role_registers *file, int op, int iteration);
void swp_sync_roles_access_registers(const swp_roles *r, swp_role_registers *file, int op,
                                     int iteration);
/* Waits, arrivals and fences of the channels (roles_edges.c). */
swp_status swp_sync_roles_place_edges(swp_roles *r);
/* After which ops a group ends (roles_groups.c). */
swp_status swp_sync_roles_find_groups(swp_roles *r);
/* Whether slots are handed back to other work groups, so that the cluster meets at the end. */
bool swp_sync_roles_meet_at_end(const swp_roles *r);
/* Whether another role than that of its ops, or another work group, uses a channel's values. */
bool swp_sync_roles_hands_on(const swp_role_channel *channel, int role);
/* The lists of a role (roles_lists.c). */
swp_status swp_sync_roles_write_lists(swp_roles *r, int role, swp_stream *out);
/* Those of a plan of tiles: begin, end and drain. */
swp_status swp_sync_roles_write_tile_lists(swp_roles *r, int plan, swp_stream *out);
/* Objects, lists and shape of the schedule, without what was dropped (roles_derive.c). */
swp_status swp_sync_roles_write(swp_roles *r);
/* Whether all of it together is safe; and what the proof finds first where it is not (roles_drop.c). */
swp_status swp_sync_roles_prove(swp_roles *r, bool *safe);
swp_status swp_sync_roles_refuse(const swp_roles *r);
/* Drops what the proof of something safe does not need (roles_drop.c), and writes the rest. */
swp_status swp_sync_roles_drop(swp_roles *r);

/*
 * Makes the objects of a schedule with warp roles, and the lists of its streams, which have their names, warps, instances
 * and registers. `phases` is its pipeline written out; `loop` of the schedule is made to fit the lists.
 */
swp_status swp_sync_derive_roles(swp_context *ctx, swp_schedule *schedule,
                                 const swp_loop_phases *phases, swp_loop_waits waits);

#endif
