/* SPDX-License-Identifier: Apache-2.0 */
/* The machine in motion: groups issue their entries one at a time, the earliest first. */
#ifndef SWP_SIMULATE_ENGINE_H
#define SWP_SIMULATE_ENGINE_H

#include "simulate/program.h"

/* An entry as a group runs it. Pass -1 is the prologue, the epilogue has the number of passes. */
typedef struct swp_sim_event {
    swp_entry_ref ref;
    int pass;
    int group;
} swp_sim_event;

/* An access, or what a register waits for. */
typedef struct swp_sim_flight {
    int64_t accesses;
    int64_t done;        /* it and all older ones on its object have finished */
    swp_sim_event cause; /* which of them finishes last */
} swp_sim_flight;

/* Accesses of one object, oldest first, from `first` on; those that have finished may be missing. */
typedef struct swp_sim_queue {
    swp_sim_flight *items;
    size_t count;
    size_t capacity;
    size_t first;
    swp_sim_flight newest;
} swp_sim_queue;

/* When what was made in a place is there for its wave, and until when it is read. */
typedef struct swp_sim_place_state {
    swp_sim_flight made;
    swp_sim_flight read;
    bool by_access;  /* made by one... */
    bool is_awaited; /* ...that who reads it waits for */
} swp_sim_place_state;

/* What came last to a phase: the latest of all, and the latest of another role than that. */
typedef struct swp_sim_parts {
    bool any;
    bool has_other;
    swp_sim_flight latest;
    swp_sim_flight other;
} swp_sim_parts;

/* A phase on its way. */
typedef struct swp_sim_turn {
    int64_t turn;
    int64_t arrived; /* threads */
    int64_t expected;
    int64_t landed; /* bytes */
    swp_sim_parts parts;
} swp_sim_turn;

/* A slot: phases that are not complete but have something, and the last one that is. */
typedef struct swp_sim_mbarrier {
    swp_sim_turn *items;
    size_t count;
    size_t capacity;
    int64_t next; /* turn of the first phase that is not complete */
    swp_sim_parts last;
} swp_sim_mbarrier;

/* What a group has had in the meetings of a barrier. */
typedef struct swp_sim_part {
    int64_t count;
    int64_t arrived;      /* last */
    swp_sim_event event;  /* then */
    int64_t opened;       /* when the last meeting did, as it sees it... */
    swp_sim_event opener; /* ...by whom */
} swp_sim_part;

typedef struct swp_sim_meeting {
    swp_sim_part *parts; /* by group */
    int64_t opened;
} swp_sim_meeting;

typedef struct swp_sim_group {
    swp_phase phase;
    int position; /* step of its phase, which comes next */
    int pass;
    int tile; /* output tile; 0: there are none */
    bool ended;
    bool waits;       /* has reached its barrier */
    int meeting;      /* there */
    int64_t ready;    /* when the next step could issue at the earliest */
    int64_t arrived;  /* at the barrier */
    int64_t finished; /* everything issued so far */
    int64_t issued;   /* steps */
    int64_t held;     /* cycles, by anything */
    int64_t *busy;    /* of each unit, by its ops */
    swp_sim_queue queues[SWP_SIM_QUEUES];
    swp_sim_flight open[SWP_SIM_QUEUES]; /* what the next commit puts into a group */
    swp_sim_flight told; /* when what it has done in shared memory is over, for others */
    swp_sim_place_state *places;
} swp_sim_group;

typedef struct swp_sim_occupant {
    int64_t until;
    int64_t amount;
    swp_sim_event event;
} swp_sim_occupant;

/* A unit with its occupants, who come one after the other: none is granted it before `newest`. */
typedef struct swp_sim_unit_state {
    swp_sim_occupant *items;
    size_t count;
    size_t capacity;
    int64_t newest;  /* grant */
    int64_t drained; /* of a rate: when all that was given to it is done */
} swp_sim_unit_state;

/* A step that something holds. `other` is NULL for a crossing. */
typedef struct swp_sim_delay {
    swp_sim_event at;
    swp_stall_cause cause;
    int64_t cycles;
    const swp_sim_event *other;
    const char *object; /* that it works on; NULL: none */
} swp_sim_delay;

/* Who listens; a NULL function does not. */
typedef struct swp_sim_listener {
    swp_status (*delay)(void *user, const swp_sim_delay *delay);
    void (*issue)(void *user, const swp_sim_event *event, int64_t issued, int64_t finished);
    /* When an op of the event begins on its units, and behind whom; NULL: nobody. Comes before its issue. */
    swp_status (*grant)(void *user, const swp_sim_event *event, int64_t grant,
                        const swp_sim_event *behind);
    void *user;
} swp_sim_listener;

typedef struct swp_sim_engine {
    swp_context *ctx;
    const swp_sim_program *program;
    int passes; /* kernel passes of the run, or of each output tile */
    int tiles;  /* 0: there are none */
    swp_sim_group *groups;
    swp_sim_unit_state *units;
    swp_sim_mbarrier *mbarriers;
    swp_sim_meeting *meetings;
    swp_sim_listener listener;
} swp_sim_engine;

/* `tiles` output tiles, of a schedule that has them. */
swp_status swp_simulate_engine_new(swp_context *ctx, const swp_sim_program *program, int passes,
                                   int tiles, swp_sim_engine *out);

/*
 * The earliest step. `*moved` is false when there is none: all groups have ended, or one waits for
 * ever.
 */
swp_status swp_simulate_engine_step(swp_sim_engine *engine, bool *moved);

/* The iteration, or the tile, from which a group's list counts. */
int64_t swp_simulate_base(const swp_sim_engine *engine, const swp_sim_group *group,
                          swp_role_clock clock);

/* The iterations of each output tile. */
int64_t swp_simulate_tile_length(const swp_sim_engine *engine);

/* When a group goes on to its next step, of the one that it issues then. */
int64_t swp_simulate_leaves(const swp_sim_engine *engine, const swp_sim_step *step, int64_t issued);

/* The group whose passes are followed. */
static inline const swp_sim_group *swp_simulate_lead(const swp_sim_engine *engine)
{
    return &engine->groups[engine->program->lead];
}

/* What a group would do next. */
const swp_sim_step *swp_simulate_next_step(const swp_sim_engine *engine, int group);

/* Whether all groups have come to their end. */
bool swp_simulate_engine_ended(const swp_sim_engine *engine);

/* When everything issued so far has finished. */
int64_t swp_simulate_engine_end(const swp_sim_engine *engine);

#endif
