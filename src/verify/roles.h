/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks one run after the other by the rules of docs/roles-reference.md, "What must never happen". A loop without warp roles is
 * asked as one role, by the rules of docs/loops-proof.md.
 */
#ifndef SWP_VERIFY_ROLES_H
#define SWP_VERIFY_ROLES_H

#include "base/key_index.h"
#include "happens_before/run.h"
#include "swp/verify.h"
#include "verify/acceptance.h"

/* What an op does to a value. An update reads the tile before and makes its own. */
typedef enum swp_role_operand_kind {
    SWP_ROLE_READS,
    SWP_ROLE_UPDATES_FROM,
    SWP_ROLE_UPDATES,
    SWP_ROLE_WRITES,
    SWP_ROLE_OPERAND_KINDS
} swp_role_operand_kind;

typedef struct swp_role_operand {
    swp_role_operand_kind kind;
    int value;
    int distance; /* iterations from the op's back to the version in whose place it is */
    int part;     /* of that version's tiles: which one is wanted or made */
} swp_role_operand;

typedef struct swp_role_op {
    swp_role_operand *operands;
    int operand_count;
    int *registers; /* of these the numbers of those in registers */
    int register_count;
    int stream; /* whose it is */
} swp_role_op;

/* The op that reads a shared version of a value, of so many iterations before, and which of its tiles. */
typedef struct swp_role_reader {
    int op;
    int distance;
    int part;
} swp_role_reader;

typedef struct swp_role_value {
    int makers;   /* ops, of the value's clock… */
    int *made_by; /* …that make the tiles of a version */
    int first;    /* number of the place of its slot 0 */
    int slots;    /* 1 or more */
    bool is_shared;
    bool is_of_tiles; /* its versions are those of output tiles */
    bool is_cleared;  /* registers of passes that an op of the tile clock writes, too */
    swp_role_reader *readers;
    int reader_count;
} swp_role_value;

/* What the ops of a loop operand, told once for all forms. */
typedef struct swp_role_model {
    const swp_schedule *schedule;
    const swp_loop *loop;
    swp_role_op *ops;
    swp_role_value *values;
    int places;
} swp_role_model;

/* The rules, in their order: those of one rank are told together. */
#define SWP_ROLE_RULES(X)                                                                          \
    X(ARRIVALS, 0, swp_verify_role_arrivals)                                                       \
    X(NAMED_BARRIERS, 1, swp_verify_role_named_barriers)                                           \
    X(PHASE_ALIAS, 2, swp_verify_role_phase_alias)                                                 \
    X(UNOBSERVED, 3, swp_verify_role_unobserved)                                                   \
    X(DEADLOCK, 4, swp_verify_role_deadlock)                                                       \
    X(LOST_PEERS, 5, swp_verify_role_lost_peers)                                                   \
    X(UNFENCED_PLACES, 6, swp_verify_role_unfenced_places)                                         \
    X(UNFENCED_REGISTERS, 6, swp_verify_role_unfenced_registers)                                   \
    X(ACCUMULATORS, 7, swp_verify_role_accumulators)                                               \
    X(PLACES, 8, swp_verify_role_places)                                                           \
    X(REGISTERS, 8, swp_verify_role_registers)                                                     \
    X(WORK, 8, swp_verify_role_work)                                                               \
    X(COUNTERS, 8, swp_verify_role_counters)

typedef enum swp_role_rule {
#define SWP_ENUMERATOR(name, rank, judge) SWP_ROLE_RULE_##name,
    SWP_ROLE_RULES(SWP_ENUMERATOR)
#undef SWP_ENUMERATOR
        SWP_ROLE_RULE_COUNT
} swp_role_rule;

typedef struct swp_role_progress swp_role_progress;

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

swp_status swp_verify_role_model_build(swp_context *ctx, const swp_schedule *schedule,
                                       swp_role_model *out);

/*
 * Asks of a run by all rules in their order, up to the first kind that it finds and that is not accepted. 0: none; else
 * which rule it was.
 */
swp_status swp_verify_role_judge_run(swp_role_judge *judge, int *rank);

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
    int64_t *done;                  /* by instance and op: iterations that have it, from 0 on */
};

swp_status swp_verify_role_progress_new(swp_context *ctx, const swp_role_model *model,
                                        const swp_happens_program *programs[], int count,
                                        swp_role_progress *out);
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

/* --- All of it --- */

/*
 * Decides all numbers of iterations of a form of a loop, or of all of them (-1), with warp roles or without. The judgement of a
 * run goes on behind the hazards that are accepted, which are not marked.
 */
swp_status swp_verify_roles(swp_context *ctx, const swp_schedule *schedule, int form,
                            swp_acceptances accepted, swp_verdict *out);

/* What becomes of who asks for a proof if that takes too long (swp_verify_role_patience()). */
typedef enum swp_role_need_of_proof {
    SWP_PROOF_ASKED_FOR, /* nothing: it takes as long as it takes */
    SWP_PROOF_NEEDED,    /* another proof has to do, which takes time, too */
    SWP_PROOF_OF_LESS    /* the search goes on without what would have been proven */
} swp_role_need_of_proof;

/* What a proof followed of a form: steps of threads of a run without passes, those of a pass, and passes of the longest run. */
typedef struct swp_role_form_work {
    uint64_t ends;
    uint64_t pass;
    int passes;
} swp_role_form_work;

/* Steps that a proof of all forms follows up to the last run of one; -1: to the end. */
uint64_t swp_verify_role_work_of_all(const swp_schedule *schedule, const swp_role_form_work *works,
                                     int form);

/*
 * The same, which ends with the first run that has a hazard, one of the shortest, or as its need has it. If there is none, `*works`
 * becomes what was followed of each form; NULL: nobody asks. Of one form alone the verdict's work is what a proof of all
 * forms would have followed, where the others are as `*works` says.
 */
swp_status swp_verify_roles_until_unsafe(swp_context *ctx, const swp_schedule *schedule, int form,
                                         swp_role_need_of_proof need, swp_role_form_work *works,
                                         swp_verdict *out);

/* How much a proof tells. */
typedef enum swp_role_extent { SWP_ALL_HAZARDS, SWP_SOME_HAZARD, SWP_ONE_RUN } swp_role_extent;

/* A part of a proof of all forms, for whoever makes many. */
typedef struct swp_role_part {
    swp_role_extent extent;
    const swp_hazard *shown;     /* SWP_ONE_RUN: by the smallest run that shows it */
    uint64_t most_steps;         /* a proof that follows more of them is none: E0702 */
    swp_role_need_of_proof need; /* with output tiles */
} swp_role_part;
swp_status swp_verify_roles_ask(swp_context *ctx, const swp_schedule *schedule, swp_role_part part,
                                swp_acceptances accepted, swp_verdict *out);

/* All hazards of a form (-1: of all forms), by all rules but one, for tests of the proof. */
swp_status swp_verify_roles_without(swp_context *ctx, const swp_schedule *schedule, int form,
                                    swp_happens_rule without, swp_verdict *out);

/* What proves a schedule. */
typedef struct swp_role_prover {
    swp_context *ctx;     /* of the verdict */
    swp_context *scratch; /* of the model, and of all runs */
    swp_role_model model;
    swp_happens_rule without;
    swp_role_part part;
    swp_acceptances accepted;
    swp_key_index known;       /* hazards */
    bool found;                /* some that is not accepted */
    bool is_seen;              /* some run asked for the writes in sight of each read */
    bool is_flat;              /* a loop without warp roles, written as one */
    swp_role_form_work *works; /* of each form; NULL: nobody asks */
    swp_verdict *out;
} swp_role_prover;

/* The parts of it without output tiles: decides all runs of a form (-1: of all forms), or judges the run of a hazard. */
swp_status swp_verify_role_forms(swp_role_prover *v, int form);
swp_status swp_verify_role_shown_run(swp_role_prover *v);

/* The part of it about schedules with output tiles: decides all sequences. */
swp_status swp_verify_role_tiles(swp_role_prover *prover);

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

/* By role, list, entry and kind. */
void swp_verify_role_sort(swp_hazard_list *hazards);

#endif
