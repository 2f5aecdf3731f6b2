/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a kernel, its arguments given: each warp is executed in its order, and what orders warps (barriers, phases,
 * groups) is followed with vector clocks (Fidge 1988, Mattern 1989; docs/roles-reference.md, "Before and after").
 *
 * A chain is a thread's order: lane 0 of a warp is one, the other lanes together another.
 */
#ifndef SWP_AUDIT_PTX_RUN_H
#define SWP_AUDIT_PTX_RUN_H

#include "audit/ptx/accesses.h"
#include "audit/ptx/arguments.h"
#include "audit/ptx/boxes.h"
#include "audit/ptx/clocks.h"
#include "audit/ptx/findings.h"
#include "audit/ptx/sync_state.h"
#include "audit/ptx/values.h"
#include "swp/audit.h"

typedef enum swp_ptx_outcome {
    SWP_PTX_GOES_ON,
    SWP_PTX_ENDED,        /* no fault */
    SWP_PTX_FAULT,        /* see `finding` */
    SWP_PTX_INCONCLUSIVE, /* something is not followed: see `finding` */
    SWP_PTX_NEEDS,        /* arguments: `needed` */
    SWP_PTX_TOO_LONG,     /* to follow it to its end */
    SWP_PTX_DISCARDED,    /* it trapped */
} swp_ptx_outcome;

typedef struct swp_ptx_register {
    swp_ptx_value value;
    int touched; /* event of the warp when an ordinary instruction had it; 0: never, or moved only */
    int group;   /* the wgmma group, and 1, that has it; 0: none */
    int insn;    /* what touched it, or the wgmma */
} swp_ptx_register;

/* What a lane did at its branches, in order. */
typedef struct swp_ptx_path {
    int *items;
    size_t count;
    size_t capacity;
} swp_ptx_path;

typedef struct swp_ptx_word swp_ptx_word;

typedef struct swp_ptx_warp {
    swp_ptx_register *registers;
    int pc[SWP_PTX_LANES];
    uint32_t alive;
    /* Of lanes that share a clock (lanes.c), since they have met: those that accessed or told something, that waited for a phase, and
     * that alone know something; 0: none does. */
    uint32_t busy;
    uint32_t waiting;
    uint32_t ahead;
    swp_ptx_word *
        *words; /* what threads have accessed since they were in order (lane_accesses.c)… */
    int stamp;  /* …which was this time */
    uint32_t copiers[2]; /* that have issued copies, and bulk stores */
    uint32_t at_barrier; /* lanes that have come to the barrier where they are */
    int waits_for; /* the number of the mbarrier that its threads have waited for last, and 1 */
    int meets_at;  /* the number of the barrier, and 1 */
    int generation[SWP_PTX_LANES];
    uint32_t came;      /* lanes that have come to the barrier of the cluster… */
    uint32_t may_leave; /* …which has opened for these, where they have not waited yet */
    int event;          /* instructions with registers of wgmmas so far */
    int fence;          /* the event of its last wgmma fence, and 1 */
    int wgmma_groups;   /* committed */
    int copy_groups[2];
    int store_groups[2];
    int open_wgmmas;             /* not committed */
    int settings;                /* of its number of registers, so far */
    int branches[SWP_PTX_LANES]; /* passed */
    int hold[SWP_PTX_LANES];     /* the lane stops before its branch of this number; -1: none */
    swp_ptx_path paths[SWP_PTX_LANES]; /* where the run records them */
} swp_ptx_warp;

typedef struct swp_ptx_run {
    swp_context *ctx;
    const swp_ptx_module *module;
    const swp_ptx_kernel *kernel;
    swp_ptx_arguments *arguments;
    bool is_dry; /* it looks for places, and tells of no fault */
    bool takes;  /* branches that memory decides */
    bool records;
    bool hurries;       /* it goes once through loops that order nothing */
    bool must_decide;   /* it ends at a branch that memory decides: it would show nothing */
    int64_t most_steps; /* 0: as many as are followed */
    swp_ptx_counts counts;
    int threads; /* of a work group */
    int cluster; /* work groups, all of which run at one time: the warps of each stand side by side… */
    int own_warps;  /* …and are so many */
    int warp_count; /* of all of them */
    swp_ptx_warp warps[SWP_PTX_MOST_WARPS];
    swp_ptx_clock clocks[SWP_PTX_MOST_CHAINS];
    swp_ptx_accesses *buckets; /* of the windows of all work groups, and then the long ones */
    uint16_t **pages;          /* what is in shared memory: contents.c; NULL: nothing known */
    swp_ptx_mbarrier *mbarriers;
    int mbarrier_count;
    swp_ptx_barrier barriers[SWP_PTX_BARRIERS];
    swp_ptx_groups groups[SWP_PTX_MOST_WARPS / SWP_PTX_GROUP_WARPS];
    swp_ptx_flag flags[SWP_PTX_MOST_CHAINS];
    swp_ptx_test tests[SWP_PTX_MOST_CHAINS][SWP_PTX_MOST_TESTED];
    swp_ptx_signals signals;
    bool has_copy_arrivals; /* that cp.async triggers */
    bool has_cluster_scope; /* some arrival at another work group is one of .cluster */
    bool has_cta_scope; /* some arrival at another work group, or the wait for it, is one of .cta */
    int64_t issued;     /* bulk copies */
    int stamps;         /* of warps, so far */
    swp_ptx_equations *equations; /* of all runs of the kernel, in memory that outlives this one */
    bool
        elsewhere; /* in a launch that is not the one that is judged: equations are compared, and not kept */
    swp_ptx_finding contradiction;    /* of equations, then; no detail: none */
    swp_ptx_places *places;           /* of all runs, too */
    swp_ptx_byte_copies *byte_copies; /* of dry runs; NULL: nobody asks */
    swp_ptx_places *sources;          /* where bulk stores begin to read */
    swp_context *outer;
    swp_ptx_split splits[2]; /* of the warp's chains, in an arrival at several mbarriers */
    int split_from
        [SWP_PTX_MOST_CHAINS]; /* the event with which such arrivals began that nothing stood between, … */
    int split_end[SWP_PTX_MOST_CHAINS]; /* …and with which they ended */
    int now;                            /* the instruction that is executed, … */
    swp_ptx_threads by;                 /* …and by whom; -1: none is */
    uint32_t *written;                  /* units that have been */
    swp_ptx_finding unwritten;          /* the first read of others; 0 bytes: there is none */
    swp_ptx_finding fence;              /* what an access lacks besides order; no detail: nothing */
    swp_ptx_finding doubt;              /* the first conflict that a guess makes; no detail: none */
    uint32_t changed_rules;             /* a bit for each… */
    int assumed
        [SWP_AUDIT_RULE_COUNT]; /* …and where the answer rests on one as it is; -1: nowhere */
    bool
        may_be_told; /* some thread has read shared memory by which others may tell it of what they have done */
    bool has_bulk_loads; /* in the kernel: else reads are asked for no fence */
    uint64_t room[SWP_PTX_LANES];
    bool *marks; /* instructions, for a search among them */
    int64_t steps;
    int deepest_wait; /* the most groups that a wait left in flight… */
    int told_groups;  /* …and that one leaves, in an induction */
    bool
        lacks_cluster; /* it depends on the cluster, which nobody states, or has not what it asks for */
    int undecided; /* a branch that memory decides and that leads to different orders; -1: none */
    struct swp_ptx_terms *terms; /* NULL: nothing unknown is told apart */
    int needed_term;             /* as an argument; 0: none */
    swp_status status;           /* of what cannot return one: no memory, or stopped */
    swp_ptx_outcome outcome;
    swp_ptx_sources needed;
    swp_ptx_finding finding;
    bool goes_on;           /* behind what it finds, as if that were not there: it is listed… */
    swp_ptx_findings found; /* …here, each pair of instructions once */
} swp_ptx_run;

/* Whether a rule of the machine holds. */
static inline bool swp_ptx_holds(const swp_ptx_run *run, swp_audit_rule rule)
{
    return swp_audit_rule_holds(rule) != (run->changed_rules >> rule & 1);
}

/* The answer rests on a rule as it is. */
static inline void swp_ptx_assumes(swp_ptx_run *run, swp_audit_rule rule, int insn)
{
    if (run->assumed[rule] < 0)
        run->assumed[rule] = insn;
}

/* Runs the kernel from its start to the end of all warps. */
swp_status swp_ptx_run_follow(swp_ptx_run *run);

/* The same in parts: as far as it goes while lanes are held. */
swp_status swp_ptx_run_begin(swp_ptx_run *run);
swp_status swp_ptx_run_go(swp_ptx_run *run);
swp_status swp_ptx_run_end(swp_ptx_run *run);
/* A state that can go on apart from this one. */
swp_status swp_ptx_copy_run(swp_context *ctx, const swp_ptx_run *run, swp_ptx_run **out);
/* Whether a lane is where it is to be held. */
bool swp_ptx_is_held(const swp_ptx_run *run, const swp_ptx_warp *warp, int lane);
/* Whether all lanes that are to be held are where they are to be, and there are any. */
bool swp_ptx_all_are_held(const swp_ptx_run *run);

/* How far the phase has come that is not complete. */
swp_ptx_facts swp_ptx_facts_of_phase(const swp_ptx_mbarrier *mbarrier);

/* Whether an argument that is not stated says how many bytes a phase expects. */
static inline bool swp_ptx_guesses_bytes_of(const swp_ptx_run *run,
                                            const swp_ptx_mbarrier *mbarrier)
{
    return mbarrier->bytes_of && run->arguments->items[mbarrier->bytes_of - 1].is_bytes;
}

/* Finds how many bytes each copy of a phase brings; a fault or a doubt where they cannot bring what is expected. */
swp_status swp_ptx_size_boxes(swp_ptx_run *run, swp_ptx_mbarrier *mbarrier);
/* Barriers open at which all threads are that have not ended, now that nobody can go on; false: none. */
bool swp_ptx_open_barriers(swp_ptx_run *run);
/* Whether the copies of a phase brought what it expects in a phase before: there are no others then. */
swp_status swp_ptx_has_all_copies(const swp_ptx_run *run, const swp_ptx_mbarrier *mbarrier,
                                  bool *has);
/*
 * Phases complete whose copies have all been issued; false: none. `known`: those of which that is known, while some threads
 * may still go on; else all, now that nobody can.
 */
swp_status swp_ptx_complete_copies(swp_ptx_run *run, bool known, bool *any);

/*
 * Whether all that can still happen in two states of a run is the same, but for what registers hold: clocks are compared by
 * which of the numbers they have reached that they are still compared with.
 */
swp_status swp_ptx_compare_orders(swp_ptx_run *a, swp_ptx_run *b, bool *same);

/*
 * Whether a kernel whose flow one argument decides does in runs of any length what it does in runs that have been judged,
 * for all work groups that `form` is for.
 * `first`: the least value that has not been; `most`: the greatest one for which it holds; `few`: it is tried in the ways that
 * do for most kernels, alone.
 */
swp_status swp_ptx_prove_by_induction(const swp_ptx_run *form, swp_ptx_argument *argument,
                                      int first, bool few, bool *repeats, int64_t *most);

/* --- the end of a run --- */

void swp_ptx_report(swp_ptx_run *run, swp_ptx_finding finding);
/* A conflict that depends on how far a box reaches, if `guessed`, is none that is certain: the run goes on, as others may be. */
void swp_ptx_report_by_guess(swp_ptx_run *run, swp_ptx_finding finding, bool guessed);
/* Of what is not certain: it ends no run. */
void swp_ptx_report_doubt(swp_ptx_run *run, swp_ptx_finding finding);
void swp_ptx_report_unknown(swp_ptx_run *run, int at, const char *detail, const char *hint);
/* Unknown for a reason: arguments are asked for, else it is a doubt. */
void swp_ptx_request_arguments(swp_ptx_run *run, int at, swp_ptx_sources depends,
                               const char *detail);

#endif
