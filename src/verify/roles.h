/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks one run after the other by the rules of docs/roles-reference.md, "What must never happen". A loop without warp roles is
 * asked as one role, by the rules of docs/loops-proof.md.
 */
#ifndef SWP_VERIFY_ROLES_H
#define SWP_VERIFY_ROLES_H

#include "base/key_index.h"
#include "happens_before/run.h"
#include "verify/acceptance.h"
#include "verify/roles_model.h"

/* The rules in their order, each with its kind of hazard. The last ones tell kinds of data (SWP_HAZARD_KINDS), all together. */
#define SWP_ROLE_RULES(X)                                                                          \
    X(ARRIVALS, SWP_ARRIVALS, swp_verify_role_arrivals)                                            \
    X(NAMED_BARRIERS, SWP_NAMED_BARRIER, swp_verify_role_named_barriers)                           \
    X(PHASE_ALIAS, SWP_PHASE_ALIAS, swp_verify_role_phase_alias)                                   \
    X(UNOBSERVED, SWP_UNOBSERVED_PHASE, swp_verify_role_unobserved)                                \
    X(DEADLOCK, SWP_DEADLOCK, swp_verify_role_deadlock)                                            \
    X(LOST_PEERS, SWP_LOST_PEER, swp_verify_role_lost_peers)                                       \
    X(UNFENCED_PLACES, SWP_UNFENCED, swp_verify_role_unfenced_places)                              \
    X(UNFENCED_REGISTERS, SWP_UNFENCED, swp_verify_role_unfenced_registers)                        \
    X(ACCUMULATORS, SWP_ACCUMULATOR_IN_FLIGHT, swp_verify_role_accumulators)                       \
    X(PLACES, SWP_HAZARD_KINDS, swp_verify_role_places)                                            \
    X(REGISTERS, SWP_HAZARD_KINDS, swp_verify_role_registers)                                      \
    X(WORK, SWP_HAZARD_KINDS, swp_verify_role_work)                                                \
    X(COUNTERS, SWP_HAZARD_KINDS, swp_verify_role_counters)

typedef enum swp_role_rule {
#define SWP_ENUMERATOR(name, kind, judge) SWP_ROLE_RULE_##name,
    SWP_ROLE_RULES(SWP_ENUMERATOR)
#undef SWP_ENUMERATOR
        SWP_ROLE_RULE_COUNT
} swp_role_rule;

typedef struct swp_role_progress swp_role_progress;

/* What the lists name from their bases, whatever follows a cut. It is found once for all states of a proof (roles_reach.c). */
typedef struct swp_role_lists_reach {
    swp_context *ctx;    /* of what lasts */
    int64_t *object_low; /* least turn of each object; NULL: nothing has been found yet */
    int64_t *wait_low;   /* of those that waits name */
    int64_t *value_low;  /* least version of each value */
    int64_t start[2];    /* from here on nothing that comes is of before the run, by clock */
    int64_t most_local;
    int64_t most_passes; /* of a tile, that differ from one more */
    int most_groups;     /* that any wait leaves in flight, and one more */
} swp_role_lists_reach;

/* Which of the rules about registers a run breaks. */
typedef struct swp_role_wrong_registers {
    bool unfenced;
    bool in_flight;
    bool other_tile;
    bool place; /* a rule about places, without warp roles */
} swp_role_wrong_registers;

/* What judges one run. */
typedef struct swp_role_judge {
    swp_context *ctx; /* of what is told */
    const swp_role_model *model;
    const swp_happens_run *run;
    int form;                                /* of a run without output tiles */
    const swp_happens_program *const *forms; /* of its state: all that may follow its passes */
    int form_count;
    swp_role_lists_reach *reach; /* of its states; NULL: it is found anew for each */
    int period; /* the order of its last so many passes comes back in longer ones; 0: that is not known */
    swp_acceptances accepted;
    swp_role_progress *progress; /* NULL: nothing of the run has been judged before */
    swp_role_rule rule;          /* that is asked */
    bool is_seen;                /* some run so far asked for the writes in sight of each read */
    bool is_looking; /* notes in `wrong` that there is something to tell, and tells nothing */
    bool is_settled; /* what it is asked of has been decided for longer runs, too */
    swp_role_wrong_registers wrong;
    swp_hazard_list *told;
    swp_key_index *known; /* kind, role, list and entry of those */
    /* Of a loop without warp roles where a group stays for ever: of each instance the first step that not all come to. */
    const int *ends;
    bool found;        /* in this run, by the rules so far, what is not accepted */
    bool is_cut_short; /* in this run, of output tiles, a phase's counts do not add up */
} swp_role_judge;

/* The version that a step wants or makes of a shared value. */
int64_t swp_verify_role_version(const swp_role_judge *judge, const swp_happens_step *step,
                                const swp_role_operand *operand);
/* Whether an op reads a version in all iterations of its output tile. */
bool swp_verify_role_reads_all_along(const swp_role_model *model, int op, int value);
/*
 * Instances that are asked, the first ones: those of rank 0. All ranks do the same, so what is found in one is found in
 * each, with the ranks renumbered, and is told once.
 */
static inline int swp_verify_role_tellers(const swp_role_judge *judge)
{
    return judge->run->program->of_a_rank;
}

static inline bool swp_verify_role_holds(const swp_role_judge *judge, swp_happens_rule rule)
{
    return swp_happens_holds(judge->run->program, rule);
}

/*
 * Asks of a run by all rules in their order, up to the first kind that it finds and that is not accepted. 0: none; else
 * one more than the place of that kind.
 */
swp_status swp_verify_role_judge_run(swp_role_judge *judge, int *rank);

/* The place of a kind of hazard in the order in which a run is judged. All kinds of data share the last one. */
int swp_verify_role_place_of(swp_hazard_kind kind);

/* --- The rules, in their order --- */

swp_status swp_verify_role_arrivals(swp_role_judge *judge);
swp_status swp_verify_role_named_barriers(swp_role_judge *judge);
swp_status swp_verify_role_phase_alias(swp_role_judge *judge);
swp_status swp_verify_role_unobserved(swp_role_judge *judge);
swp_status swp_verify_role_deadlock(swp_role_judge *judge);
swp_status swp_verify_role_lost_peers(swp_role_judge *judge);
swp_status swp_verify_role_unfenced_places(swp_role_judge *judge);
swp_status swp_verify_role_unfenced_registers(swp_role_judge *judge);
swp_status swp_verify_role_accumulators(swp_role_judge *judge);
swp_status swp_verify_role_places(swp_role_judge *judge);
swp_status swp_verify_role_registers(swp_role_judge *judge);
/* Places of a loop without warp roles, in its whole run. */
swp_status swp_verify_role_sight(swp_role_judge *judge);

/* An event of a place that what follows a cut may ask for, in one instance. */
typedef enum swp_role_seen_sort {
    SWP_ROLE_SEEN_WRITE,
    SWP_ROLE_SEEN_READ,
    SWP_ROLE_SEEN_PENDING /* a read of what has not been written so far */
} swp_role_seen_sort;
typedef struct swp_role_seen {
    swp_role_seen_sort sort;
    int value;
    int64_t slot;
    int64_t tile;
    int overlapped; /* writes right before it that it may come before */
    bool told;
    swp_happens_at at; /* step -1: before the run */
} swp_role_seen;
typedef swp_status swp_role_visit_seen(void *user, const swp_role_seen *seen);
/* Visits those of a cut, as far as all waves have come. */
swp_status swp_verify_role_see(swp_role_judge *judge, swp_role_visit_seen *visit, void *user);
/* Finds of each instance the first step behind the ops that all waves have come to. */
swp_status swp_verify_role_find_ends(swp_role_judge *judge);
swp_status swp_verify_role_work(swp_role_judge *judge);
swp_status swp_verify_role_counters(swp_role_judge *judge);

/* --- Registers --- */

typedef struct swp_role_place swp_role_place; /* roles_scan.h */

/* The registers of a thread behind so many of its steps. */
typedef struct swp_role_held {
    swp_role_place *places; /* NULL: none of its steps has been looked at */
    int fence;              /* the last matrix_fence; -1: none so far */
} swp_role_held;

/* --- What has been judged of longer and longer runs (roles_progress.c) --- */

/* What a rule has judged of the passes that runs share. */
typedef struct swp_role_judged {
    int *steps;                /* of each instance: those that it need not ask of again… */
    swp_happens_numbers *open; /* …but for these */
    bool found;                /* what is not accepted */
} swp_role_judged;

struct swp_role_progress {
    swp_context *ctx; /* of what lasts */
    swp_role_judged judged[SWP_ROLE_RULE_COUNT];
    int behind;   /* passes by which what is asked of a step may stand behind it */
    int *settled; /* of each instance: steps of which longer runs have the same */
    int counted;  /* phases whose counts have been judged */
    int *turns;   /* of each instance: the arrival at the cluster that is open there; -1: none */
    swp_role_held *held;            /* of each thread: the registers where it is settled */
    swp_role_wrong_registers wrong; /* before that */
    int64_t *done; /* by instance and op: iterations, or output tiles, that have it, from 0 on */
};

swp_status swp_verify_role_progress_new(swp_context *ctx, const swp_role_model *model,
                                        const swp_happens_program *programs[], int count,
                                        swp_role_progress *out);
/* The same of runs of output tiles that go on from one cut. */
swp_status swp_verify_role_progress_of_tiles(swp_context *ctx, const swp_role_model *model,
                                             const swp_happens_program *program,
                                             swp_role_progress *out);
/* Finds what is settled at that cut, where each instance has been asked of so many steps before. */
swp_status swp_verify_role_find_decided(swp_role_judge *judge, const int *asked,
                                        swp_role_progress *progress);
/* Finds what is settled at the cut of a run. */
void swp_verify_role_settle(swp_role_progress *progress, const swp_happens_run *run);
/* The first step of an instance of which the rule has to be asked, but for those that are open. */
int swp_verify_role_first_step(const swp_role_judge *judge, int instance);
/* Those before it are decided for longer runs, too. */
int swp_verify_role_settled(const swp_role_judge *judge, int instance);
/* The rule has been asked of all of these. */
void swp_verify_role_judged_to(const swp_role_judge *judge, int instance);
/*
 * Asks a rule of the steps of an instance that it has to be asked of. `is_open` tells of a settled one whether longer runs
 * may have another answer; NULL: none has.
 */
typedef swp_status swp_role_ask_step(swp_role_judge *judge, int instance, int step);
typedef bool swp_role_is_open(const swp_role_judge *judge, int instance, int step);
swp_status swp_verify_role_ask_steps(swp_role_judge *judge, int instance, swp_role_ask_step *ask,
                                     swp_role_is_open *is_open);

/* Whether an instance does not do an op in all of an output tile that has ended. */
bool swp_verify_role_is_missing(const swp_role_judge *judge, int instance, int op, int tile);

/* --- Telling --- */

/* Whether some thread issues the step: none does behind a place where all stay for ever. */
bool swp_verify_role_comes_to(const swp_role_judge *judge, swp_happens_at at);

enum { SWP_ROLE_NAME_SIZE = 192 };
/* "MMA of iteration 5 in consumer 1", "wait_phase for phase 2 of slot 1 of empty in producer". */
const char *swp_verify_role_name(const swp_role_judge *judge, swp_happens_at at,
                                 char name[SWP_ROLE_NAME_SIZE]);
/* "phase 2 of slot 1 of empty", in a cluster " of rank 1" */
const char *swp_verify_role_phase_name(const swp_role_judge *judge, int rank, int object,
                                       int64_t turn, char name[SWP_ROLE_NAME_SIZE]);

/* " of rank 1"; without a cluster nothing */
const char *swp_verify_role_rank_name(const swp_role_judge *judge, int rank,
                                      char name[SWP_ROLE_NAME_SIZE]);

/*
 * Notes a hazard at a step. `*out` is what is to be told of it, with detail "" for the caller to fill in; NULL if it
 * is told already.
 */
swp_status swp_verify_role_tell(swp_role_judge *judge, swp_hazard_kind kind, swp_happens_at at,
                                swp_happens_at other, swp_hazard **out);

/* The same of a run of n iterations, which is longer. */
swp_status swp_verify_role_tell_of(swp_role_judge *judge, swp_hazard_kind kind, swp_happens_at at,
                                   int n, swp_hazard **out);

/* What a hazard of a loop without warp roles is about. Tiles may be SWP_NO_TILE. */
typedef struct swp_role_about {
    int value; /* -1: none */
    int64_t version;
    int64_t wanted; /* tile; of work the iteration */
    int64_t found;
    const char *op; /* whose work it is; NULL: about a value, if any */
} swp_role_about;
/* Fills in place and texts. */
swp_status swp_verify_role_word(const swp_role_judge *judge, swp_hazard *hazard,
                                swp_role_about about);
extern const swp_role_about swp_verify_role_about_nothing;

/* That it is about the place of a version. */
void swp_verify_role_set_place(const swp_role_judge *judge, swp_hazard *hazard, int value,
                               int64_t version);

/* The same at an entry that the run need not come to, of a list of that output tile. */
swp_status swp_verify_role_tell_entry(swp_role_judge *judge, swp_hazard_kind kind, int instance,
                                      int tile, swp_entry_ref at, const char *name,
                                      swp_hazard **out);

/* --- States --- */

/* All that decides what can follow a cut, in numbers (roles_state.c). */
typedef struct swp_role_state {
    int *items;
    size_t count;
    size_t capacity;
} swp_role_state;
/* What clocks say is in `clocks`, of which each is as long where all else is the same; NULL: it is among all else. */
swp_status swp_verify_role_state(swp_role_judge *judge, swp_role_state *out,
                                 swp_role_state *clocks);
/* Lets the clocks of a run say no more than `clocks` of a cut where all else is the same. */
swp_status swp_verify_role_lower(swp_role_judge *judge, swp_happens_run *run, const int *clocks);

#endif
