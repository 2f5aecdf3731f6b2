/* SPDX-License-Identifier: Apache-2.0 */
/* The exploration of a kernel: what its runs have shown so far, and what the report says of them. */
#ifndef SWP_AUDIT_PTX_EXPLORATION_H
#define SWP_AUDIT_PTX_EXPLORATION_H

#include "audit/ptx/terms.h"
#include "base/text.h"
#include "swp/audit.h"

enum {
    SWP_PTX_MOST_PASSES = 31,          /* values of an argument that are run, from 0 */
    SWP_PTX_MOST_ALL_STEPS = 16000000, /* of a kernel's runs together… */
    SWP_PTX_MOST_PROOF_STEPS =
        4 * SWP_PTX_MOST_ALL_STEPS, /* …where they may show that it is in order, … */
    SWP_PTX_MOST_LAUNCH_STEPS =
        4 * SWP_PTX_MOST_PROOF_STEPS,   /* …and of all work groups of a launch */
    SWP_PTX_MOST_STEPS_BEHIND = 1 << 21 /* behind a finding, until there is another one */
};

/* Where what a kernel's runs show is told. */
typedef struct swp_ptx_telling {
    swp_audit_report *out;
    swp_ptx_findings *found; /* what each of the report's findings is about */
    size_t first_finding;    /* of the kernel */
    size_t first_assumption; /* of the kernel */
    int number;              /* of the kernel in the report */
} swp_ptx_telling;

typedef struct swp_ptx_exploration {
    swp_context *ctx;
    const char *file;
    const swp_ptx_module *module;
    const swp_ptx_kernel *kernel;
    swp_ptx_telling told;
    swp_ptx_arguments arguments;
    swp_ptx_equations equations;
    swp_ptx_places places;
    swp_ptx_places sources;
    swp_ptx_byte_copies byte_copies; /* of dry runs */
    bool concerned;                  /* it accesses shared memory, or orders threads */
    bool
        guesses_shape; /* it tells threads apart by y or z, and nobody says that a work group has some */
    bool restarts;    /* another argument turned out to be needed */
    bool first;       /* the first finding is enough */
    bool tries;       /* it is tried in some cluster: little is spent where nothing can be shown */
    bool faulty;      /* something was found */
    bool has_certain; /* something certain was… */
    swp_ptx_arguments fault_arguments; /* …with these for the first time */
    bool
        lacks_cluster; /* a run asks which cluster the kernel runs in, which nobody says, or for another one */
    bool ends;         /* nothing more is looked for */
    bool is_dry;       /* this run only looks where copies write */
    bool is_elsewhere; /* it is one of another launch than the stated one, … */
    swp_ptx_finding
        contradiction; /* …and what phases expect there is not what they do here; no detail: it is */
    bool too_long;     /* a run is not followed to its end */
    /* Of a launch whose work groups are all judged: how many this run is for, from the one that its argument has on. */
    int width;
    bool splits; /* they do not all go one way */
    bool
        lacks_zero; /* what a run shows in which an argument is 0 was not taken: it did not come to its end */
    bool shown;         /* runs of any length are like the few that were followed… */
    int64_t shown_most; /* …up to this value of the argument */
    bool unlike;        /* longer runs of some work group are not shown to be like shorter ones */
    int64_t
        most; /* the greatest value of the argument that is not stated for which the answer holds; 0: there is none */
    uint64_t random;
    int64_t most_steps; /* of a run; 0: as many as are followed */
    int64_t steps;      /* of all runs, for each work group */
    int64_t found_at;   /* so many there were when something new was found */
    int64_t last_steps; /* of the last run */
    int runs;           /* that ended */
    int undecided;
    int too_many; /* where more arguments turned out to decide the flow than are varied; -1: nowhere */
    swp_ptx_finding unwritten; /* what a run reads; no detail: none does */
    swp_audit_finding_list
        aside; /* what goes wrong only where arguments are 0, or less than a pass… */
    swp_ptx_findings aside_found; /* …and what each is about */
    swp_audit_finding doubt; /* what goes wrong in a run by a guess; no detail: nothing does… */
    swp_ptx_finding doubted; /* …and what that is about */
    uint32_t changed_rules;
    int assumed[SWP_AUDIT_RULE_COUNT]; /* where the answer rests on a rule; -1: nowhere */
    struct swp_ptx_terms *terms;       /* these are given values: nothing that is found is told */
} swp_ptx_exploration;

/* --- runs (explore.c) --- */

/* Of arguments that decide the flow: which may have any value, and how many of them there are. */
bool swp_ptx_is_free(const swp_ptx_argument *argument);
int swp_ptx_count_free(const swp_ptx_exploration *t);

/* More runs have nothing to add, as things stand. */
bool swp_ptx_stops(const swp_ptx_exploration *t);

/* A run with the arguments as they are; of a branch that memory decides it `takes` the jump. */
void swp_ptx_set_up(swp_ptx_exploration *t, swp_context *ctx, bool takes, swp_ptx_run *run);
swp_status swp_ptx_run_once(swp_ptx_exploration *t, bool takes);
/* With both ways of branches that memory decides. */
swp_status swp_ptx_run_both(swp_ptx_exploration *t);
/* How much boxes bring and stores read shows in the places of others: these are looked for before anything is judged. */
swp_status swp_ptx_dry_run(swp_ptx_exploration *t);

/* Runs of up to 31 passes, with all arguments that turn out to be needed. */
swp_status swp_ptx_try_all(swp_ptx_exploration *t);

/* --- which runs (argument_values.c, launch_runs.c) --- */

/* Values to begin with: one work group, and as many of all else as the base says. */
uint64_t swp_ptx_base_value(const swp_ptx_argument *argument, int base);
/* One argument takes many values. */
swp_status swp_ptx_vary(swp_ptx_exploration *t, swp_ptx_argument *argument);
/* Whether runs from so many passes on are like those before, for each choice that is open (launch_runs.c). */
swp_status swp_ptx_show_longer(swp_ptx_exploration *t, swp_ptx_argument *argument, int first,
                               bool few, bool *shown, int64_t *most);
/* Several arguments decide the flow: each takes many values, and all take some of chance. */
swp_status swp_ptx_run_bases(swp_ptx_exploration *t);
/* One does at most: it takes many values in each work group of a launch. */
swp_status swp_ptx_run_launch(swp_ptx_exploration *t);

/* --- arguments that say how many bytes are expected (byte_arguments.c) --- */

/* Gives those that are not stated what the copies bring for which there is room. */
swp_status swp_ptx_give_bytes(swp_ptx_exploration *t);
bool swp_ptx_guesses_bytes(const swp_ptx_exploration *t);

/* --- boxes of tensor maps in other launches than the stated one (other_launches.c) --- */

swp_status swp_ptx_compare_launches(swp_ptx_exploration *t);

/* --- terms as arguments (show_by_terms.c) --- */

/* A predicate that is given as if it were an argument: it takes both values in each run. */
bool swp_ptx_is_choice(const swp_ptx_argument *argument);
int swp_ptx_choices(const swp_ptx_exploration *t);
void swp_ptx_choose(swp_ptx_exploration *t, int choice);
swp_status swp_ptx_run_choices(swp_ptx_exploration *t);

/* A run asks for a term, or an argument: terms that were computed from that are others now. One number at most is told about. */
swp_status swp_ptx_need_term(swp_ptx_exploration *t, const swp_ptx_run *run);
void swp_ptx_take_result_of_terms(swp_ptx_exploration *t, const swp_ptx_run *run);

/* Whether a kernel that has been tried without a fault is shown to have none with terms as arguments, and on what terms. */
swp_status swp_ptx_show_by_terms(const swp_ptx_exploration *before, bool *shown);

/* --- the report (findings.c) --- */

/* An exploration like another, which tells what it shows in a report of its own. */
void swp_ptx_tell_apart(const swp_ptx_exploration *t, swp_audit_report *report,
                        swp_ptx_findings *found, swp_ptx_exploration *out);

/* Where an instruction stands; -1: nowhere. */
swp_status swp_ptx_set_site(const swp_ptx_exploration *t, int insn, swp_audit_site *out);

/* What is taken for given; -1: of the kernel. */
swp_status swp_ptx_assume(const swp_ptx_exploration *t, int insn, const char *why);
/* From what an argument has been run, to `most`. */
swp_status swp_ptx_name_argument(const swp_ptx_exploration *t, const swp_ptx_argument *argument,
                                 int64_t most, char **out);

/* Something that goes wrong in a run. */
swp_status swp_ptx_describe_finding(swp_ptx_exploration *t, const swp_ptx_finding *found,
                                    bool certain, swp_audit_finding *out);
swp_status swp_ptx_add_finding(swp_ptx_exploration *t, const swp_ptx_finding *found, bool certain);

/* What goes wrong in launches that make no sense: taken for no launch where nothing else is wrong, or open, behind so many findings and notes. */
swp_status swp_ptx_settle_aside(swp_ptx_exploration *t, size_t findings, size_t notes);

/* What stands in the way of an answer, at an instruction; -1: of the kernel as a whole. */
swp_status swp_ptx_add_note(const swp_ptx_exploration *t, int insn, const char *why);

/* One that is not stated, and 0. */
bool swp_ptx_is_zero(const swp_ptx_argument *argument);

/* An argument that is not stated is 0: what a run shows then is not certain. */
bool swp_ptx_has_zero(const swp_ptx_exploration *t);
/* One is less than the elements of a pass, as where a matrix is smaller than a tile: nor is that certain. */
const swp_ptx_argument *swp_ptx_part_of_pass(const swp_ptx_exploration *t);

/* As its author calls it, where that is known. */
void swp_ptx_add_param_name(const swp_ptx_exploration *t, int param, int64_t byte, swp_text *text);
void swp_ptx_add_argument(const swp_ptx_exploration *t, const swp_ptx_argument *argument,
                          swp_text *text);
/* With which values something is seen. */
void swp_ptx_add_arguments(const swp_ptx_exploration *t, swp_text *text);
/* Which of them is less than a pass; nothing: none is. */
void swp_ptx_add_part_of_pass(const swp_ptx_exploration *t, swp_text *text);
/* What would have to be stated of them, so that at most one is left. */
void swp_ptx_add_options(const swp_ptx_exploration *t, swp_text *text);

swp_status swp_ptx_add_assumptions(const swp_ptx_exploration *t);
/* What the launch states of it. */
swp_status swp_ptx_tell_stated(const swp_ptx_exploration *t);

/* What has been shown of the kernel and what has not, in a sentence each. */
swp_status swp_ptx_describe_answer(const swp_ptx_exploration *t, swp_audit_kernel *out);

/* Of what is not shown, and what is taken for given. */
swp_status swp_ptx_report_limits(swp_ptx_exploration *t);

#endif
