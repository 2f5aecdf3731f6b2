/* SPDX-License-Identifier: Apache-2.0 */
/* A schedule as the cycle model sees it: for each group and phase, what each entry takes. A group is a warp group, or an
 * instance of a warp role. */
#ifndef SWP_SIMULATE_PROGRAM_H
#define SWP_SIMULATE_PROGRAM_H

#include "base/context.h"
#include "ir/effects.h"
#include "ir/roles.h"
#include "ir/sync_objects.h"
#include "swp/simulate.h"

enum { SWP_SIM_PHASES = SWP_DRAIN + 1 };

/* Behind the queues of what tracks accesses there are two of each object of groups: of their ends, and of when their
 * sources are read. */
enum { SWP_SIM_GROUPED = 3, SWP_SIM_QUEUES = SWP_SYNC_OBJECTS + 2 * SWP_SIM_GROUPED };

typedef enum swp_sim_kind {
    SWP_SIM_NOTHING, /* issues, and that is all */
    SWP_SIM_ACCESS,  /* asynchronous */
    SWP_SIM_COMPUTE,
    SWP_SIM_WAIT,
    SWP_SIM_BARRIER,
    /* Of warp roles. */
    SWP_SIM_ASYNC,  /* an asynchronous operation */
    SWP_SIM_ARRIVE, /* at an mbarrier */
    SWP_SIM_PHASE,  /* waits for one */
    SWP_SIM_MEET,   /* comes to a barrier and goes on */
    SWP_SIM_OPENED, /* waits for the meeting that it came to */
    SWP_SIM_COMMIT,
    SWP_SIM_GROUP_WAIT
} swp_sim_kind;

/* How much of a unit a step keeps, and for how many cycles. */
typedef struct swp_sim_use {
    int unit; /* index of swp_simulation.units */
    int64_t amount;
    int64_t cycles;
} swp_sim_use;

/* By what the slots of an operand turn (docs/roles-reference.md, "Output tiles"). */
typedef enum swp_sim_turning {
    SWP_SIM_BY_PASSES,
    SWP_SIM_BY_TILES,
    SWP_SIM_BEFORE_TILE, /* what stands before the first iteration of its tile... */
    SWP_SIM_END_OF_TILE  /* ...and behind the last one */
} swp_sim_turning;

/* A place that a step reads or makes. */
typedef struct swp_sim_operand {
    int place; /* in pass 0 of tile 0 */
    swp_sim_turning turning;
    bool reads;
    bool makes;
    int64_t early;   /* cycles by which it can be read before its maker's latency has passed */
    bool is_shared;  /* an access leaves nothing there that its wave would wait for */
    bool is_chained; /* the step begins `early` before the matrix op that made the place ends */
} swp_sim_operand;

typedef struct swp_sim_step {
    swp_sim_kind kind;
    int entry; /* in its phase; -1: a barrier that is no entry */
    swp_sim_use *uses;
    size_t use_count;
    swp_sim_operand *operands;
    size_t operand_count;
    int64_t latency;        /* cycles from its grant to its end */
    int64_t read_cycles;    /* from its issue, for which a synchronous step reads */
    int64_t issue;          /* for which the group issues nothing else; 0: as the machine has it */
    bool is_awaited;        /* who reads the register that it makes waits for it */
    swp_sync_object object; /* that tracks an access */
    swp_wait_kind waits;
    int64_t accesses; /* tracked, at least 1; of a wait: of each object that may stay in flight */
    int meeting;      /* of a barrier; -1: it meets nobody */
    const char *object_name; /* of warp roles, that the entry works on; NULL: none */
    int64_t shared_cycles;   /* from its issue, after which it tells others of shared memory */
    int queue;               /* of what retires in groups */
    bool tells_reads;        /* the queue behind it is of when its sources are read */
    bool any_order;          /* of that queue: what finishes first retires first */
    int mbarrier;            /* on which it completes, or -1; and for which turn in pass 0 */
    int64_t turn;
    int64_t threads; /* that arrive there */
    int64_t expects; /* bytes */
    int64_t brings;
} swp_sim_step;

typedef struct swp_sim_step_list {
    swp_sim_step *items;
    size_t count;
    size_t capacity;
} swp_sim_step_list;

/* Who runs the lists. */
typedef struct swp_sim_stream {
    int stream;
    int instance;
    swp_sim_step_list steps[SWP_SIM_PHASES];
} swp_sim_stream;

/* The slots of a value, of which each iteration takes the next. */
typedef struct swp_sim_slots {
    int first; /* place */
    int count;
    swp_role_clock clock;
} swp_sim_slots;

/* Whether the instances of warp roles are followed, as a target may have figures for; else warp groups. */
static inline bool swp_simulate_by_role(const swp_schedule *schedule)
{
    return swp_ir_has_roles(schedule);
}

typedef struct swp_sim_program {
    const swp_schedule *schedule;
    const swp_machine *machine;
    swp_machine own_machine; /* by figures */
    bool by_figures;         /* of the options' target */
    int warps; /* that are followed of each warp group: more than one by figures only */
    bool has_roles;
    bool states_issue; /* asynchronous ops, too, issue at the grant of their units */
    swp_sim_stream *groups;
    int group_count;
    int lead;             /* whose passes are followed: the first group that has any */
    int64_t signal;       /* cycles by which another role sees what an object tells */
    size_t place_count;   /* shared ones, then registers */
    swp_sim_slots *slots; /* by place: its value's */
    int *first_slot;      /* of an object: its first mbarrier, or meeting */
    int slot_count;       /* of all mbarriers */
    int meeting_count;
    int cluster_meeting; /* of all instances, as a cluster's other work groups do the same meanwhile */
    bool *takes_part;    /* by meeting and group */
    swp_unit_load *units;
    int64_t *
        rates; /* of each unit that is a rate: cycles for which the op that has most has all of it; 0: it is none */
    size_t unit_count;
    /* Whether its ops say how long they keep their units: no occupancy of the machine's does. */
    bool states_uses;
} swp_sim_program;

swp_status swp_simulate_program_build(swp_context *ctx, const swp_schedule *schedule,
                                      const swp_simulate_options *options, swp_sim_program *out);

static inline bool swp_simulate_takes_part(const swp_sim_program *program, int meeting, int group)
{
    return program->takes_part[(size_t)meeting * (size_t)program->group_count + (size_t)group];
}

/* What a program is made from. */
typedef struct swp_sim_builder {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_simulate_options *options;
    const swp_effects *effects; /* of the stream */
    swp_sim_program *program;
} swp_sim_builder;

/* The meeting of everybody: the barrier of a schedule without warp roles, and that of a work group. */
enum { SWP_SIM_MEETING_OF_ALL };

/* A step that issues, and that is all. */
static inline swp_sim_step swp_simulate_no_step(int entry)
{
    return (swp_sim_step){.entry = entry, .meeting = -1, .mbarrier = -1};
}

/* Fills in the units of the program. */
swp_status swp_simulate_list_units(const swp_sim_builder *b);
/* Fills in the slots. A place stands among those of its value; without a dataflow it is always the same. */
swp_status swp_simulate_list_slots(const swp_sim_builder *b);

/* Objects, and who meets where. */
swp_status swp_simulate_roles_begin(const swp_sim_builder *b);
void swp_simulate_roles_meet(const swp_sim_builder *b);

/* Lets a matrix op begin no sooner behind the one before it in an accumulator than the delay of their dependence. */
void swp_simulate_chain(const swp_sim_builder *b, int op, swp_sim_step *step);
/* What a step of an instance has besides what its op does. */
void swp_simulate_role_op(const swp_sim_builder *b, const swp_op *op, swp_sim_step *step);
swp_sim_slots swp_simulate_role_slots(const swp_sim_builder *b, int first, int value);

/* The place of an access, and by what it turns. */
swp_sim_operand swp_simulate_operand_of(const swp_sim_builder *b, const swp_effect *effect,
                                        const swp_access *access, bool makes);
swp_status swp_simulate_role_sync(const swp_sim_builder *b, int group, const swp_op *op,
                                  swp_sim_step *step);

#endif
