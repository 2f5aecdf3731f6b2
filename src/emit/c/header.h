/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the generated C header, each in a file of its own. */
#ifndef SWP_EMIT_C_HEADER_H
#define SWP_EMIT_C_HEADER_H

#include "base/text.h"
#include "ir/effects.h"
#include "swp/emit.h"

typedef struct swp_c_machine_macros swp_c_machine_macros;

/* The most tiles of a run: with what a schedule may add to a tile's number, an int holds it. */
enum { SWP_C_MAX_TILES = 1 << 30 };

/* What the instructions of a kind of machine can say. A largest priority of 0: any. */
typedef struct swp_c_machine {
    const swp_c_machine_macros *macros; /* NULL: the kernel says it by itself */
    unsigned served;                    /* a bit for each object that they wait for */
    const char *const *waits;           /* by object: the instruction that waits; NULL: not known */
    const char *load;                   /* what a load to LDS is to it besides; NULL: nothing */
    bool counts_no_lds;                 /* LDS operations are done when they return */
    int prio_max;
} swp_c_machine;

extern const char *const swp_c_gfx9_waits[SWP_SYNC_OBJECTS];
extern const char *const swp_c_ptx_waits[SWP_SYNC_OBJECTS];

/* What defines the machine's waits where it compiles for it; NULL: nothing does. */
const char *swp_c_compiler_of(const swp_c_machine *machine);

/* The same machine, where the kernel itself defines waits and barriers. */
const swp_c_machine *swp_c_machine_by_hand(const swp_c_machine *machine);

/* The machine of a target; one of which nothing is known for a target that the table has not. */
const swp_c_machine *swp_c_machine_of(const char *target);

struct swp_c_header;

/* What differs between headers of warp groups, which all run the same macros, and of warp roles (docs/c-header.md). */
typedef struct swp_c_form {
    swp_status (*check)(struct swp_c_header *header); /* and name */
    void (*put_contract)(struct swp_c_header *header);
    swp_status (*put)(struct swp_c_header *header);
    bool names_roles; /* and objects, so that names may meet */
    bool may_trap;    /* see bad_tiles.c */
} swp_c_form;

typedef struct swp_c_header {
    swp_text text;
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_c_header_options *options;
    const swp_c_machine *machine;
    const swp_c_form *form;
    const char *prefix;                        /* X */
    const char *local;                         /* prefix of the variables of X_RUN */
    const char *op_macros[SWP_SCHEDULE_TAGS];  /* OP of X_OP, for the tags that occur; else NULL */
    const char **value_macros;                 /* V of X_SLOTS_V, for the values of a loop */
    int op_width;                              /* of the longest */
    const char *role_macros[SWP_MOST_STREAMS]; /* R of X_RUN_R, for warp roles */
    const char *object_macros[SWP_MOST_ROLE_OBJECTS]; /* O of X_MBARRIER_O, for what orders them */
    const char *list_suffix;            /* of the macros of lists: _R for a warp role; "" */
    const char *list_arguments;         /* that X_RUN calls them with, before kb */
    swp_effects effects;                /* of the entries */
    const int *tiles[SWP_EPILOGUE + 1]; /* of each entry, relative to kb */
} swp_c_header;

/* Whether the calls are a loop's: they name iterations, and the slots of values in place of those in LDS. */
static inline bool swp_c_is_of_loop(const swp_c_header *header)
{
    return header->schedule->dataflow != NULL;
}

/* The target's largest count of accesses in flight, where issue stalls; 0: there is none. */
int swp_c_counter_max(const swp_c_header *header, bool vm);

/* Refuses what the target's instructions cannot say. */
swp_status swp_c_check(const swp_c_header *header);

/* The mask of the compiler for a mask of sched_group_barrier that swp_c_check() took. */
unsigned swp_c_group_mask(int kind);

/* Names the prefix and the macros of ops and values; refuses names that no macro can have, or that two have. */
swp_status swp_c_name(swp_c_header *header);

/* Refuses an op whose macro somebody else has. */
swp_status swp_c_refuse_op(const swp_c_header *header, int tag, const char *owner);

/* Lowers the entries, and finds the K tile that each is about, as a constant offset from kb. */
swp_status swp_c_find_tiles(swp_c_header *header);

/* Counted accesses of the calls of an op. */
typedef struct swp_c_cost {
    int least;
    int most;
    bool unstated; /* nobody said how many: any number from 1 on */
} swp_c_cost;

typedef struct swp_c_op {
    swp_role role;
    swp_sync_object object; /* that tracks it */
    swp_c_cost vm;
    swp_c_cost lgkm;
} swp_c_op;

/* What all entries of a tag have in common. */
swp_c_op swp_c_op_of(const swp_c_header *header, int tag);

/* The comment that opens the header. `verdict`: NULL for a schedule that cannot be judged. */
void swp_c_put_contract(swp_c_header *header, const swp_verdict *verdict);
void swp_c_put_group_contract(swp_c_header *header);

/* What the waits have to do, in that comment. */
void swp_c_put_waits(swp_c_header *header);

/* Whether the machine's own waits are for all that the schedule has in flight. */
bool swp_c_waits_serve(const swp_c_header *header);

/* The figures that a kernel sizes itself by; of these, which numbers of tiles there are. */
void swp_c_put_figures(swp_c_header *header);
void swp_c_put_shape(swp_c_header *header);
void swp_c_put_figure(swp_c_header *header, const char *name, int64_t value);

/* A macro that is the kernel's to define, and what it is where that is forgotten. */
typedef struct swp_c_macro {
    const char *name;
    const char *nothing;
} swp_c_macro;

/*
 * One #error where some of them are missing: "define A, B and C" and `where`. For GPUs of NVIDIA it is `for_gpus` instead, where
 * that is not NULL.
 */
void swp_c_put_missing(swp_c_header *header, const swp_c_macro *macros, size_t count,
                       const char *where, const char *for_gpus);

/* The same of the macros of ops, where the kernel has defined one of them before. */
swp_status swp_c_put_missing_ops(swp_c_header *header);

/* Whether the kernel defines when an op is called. */
bool swp_c_has_own_condition(const swp_c_header *header, int tag);

/* The defaults of the SWP_ macros; of these, what every machine has. */
void swp_c_put_defaults(swp_c_header *header);
void swp_c_put_tile_default(swp_c_header *header);
void swp_c_put_bad_tiles(swp_c_header *header);

/* The entry of a phase that one warp group alone runs, a barrier of a lag; -1: it has none. */
int swp_c_group_barrier(const swp_c_header *header, swp_phase phase, int group);

/* The phases, and the whole run. */
swp_status swp_c_put_phases(swp_c_header *header);
void swp_c_put_run(swp_c_header *header);

/* Of a run: the test of its number of tiles, and what it does with a number in the variable x_n_. */
void swp_c_put_tiles_ok(swp_c_header *header);
void swp_c_put_run_straight(swp_c_header *header);
void swp_c_put_run_loop(swp_c_header *header, int tiles_per_pass);

/* Refuses a schedule that no header can express; else the header can be written. */
swp_status swp_c_check_header(swp_c_header *header);

/* `verdict`: NULL for a schedule that cannot be judged. */
swp_status swp_c_write_header(swp_c_header *header, const swp_verdict *verdict, char **text,
                              size_t *length);

#endif
