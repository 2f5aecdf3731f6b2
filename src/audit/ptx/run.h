/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of a kernel, its arguments given: each warp is executed in its order, and what orders warps (barriers, phases,
 * groups) is followed with vector clocks (Fidge 1988, Mattern 1989; docs/roles-reference.md, "Before and after").
 *
 * A chain is a thread's order: lane 0 of a warp is one, the other lanes together another.
 */
#ifndef SWP_AUDIT_PTX_RUN_H
#define SWP_AUDIT_PTX_RUN_H

#include "audit/ptx/values.h"
#include "swp/audit.h"

enum {
    SWP_PTX_MOST_WARPS = 32,
    SWP_PTX_MOST_CHAINS = 2 * SWP_PTX_MOST_WARPS,
    SWP_PTX_MOST_MBARRIERS = 128,
    SWP_PTX_MBARRIER_BYTES = 8,
    SWP_PTX_BARRIERS = 16,
    SWP_PTX_MOST_ARGUMENTS = 126, /* a bit of swp_ptx_sources each */
    SWP_PTX_GROUP_WARPS = 4,
    SWP_PTX_MOST_TESTED = 64 /* registers that tests of phases decide: wait_tests.c */
};

/* Groups whose ages two states are told apart by; wgmma.wait_group leaves 7 at most (PTX ISA), Triton's cp.async 12 of five stages. */
enum { SWP_PTX_TOLD_GROUPS = 16 };

/* What a clock counts: first the events of each chain, and which of them its proxy fences cover; … */
enum {
    SWP_PTX_CLOCK_FENCED = SWP_PTX_MOST_CHAINS,
    /* …then which of them have been executed, as threads of a warp have met since (lanes.c), though no memory is in order by that; … */
    SWP_PTX_CLOCK_MET = SWP_PTX_CLOCK_FENCED + SWP_PTX_MOST_CHAINS,
    /* …and which of them proxy fences of the same chain cover; … */
    SWP_PTX_CLOCK_OWN_FENCED = SWP_PTX_CLOCK_MET + SWP_PTX_MOST_CHAINS,
    /* …then what has been waited for: groups of copies, of which proxy fences behind the wait cover some, of bulk stores, … */
    SWP_PTX_CLOCK_COPIES = SWP_PTX_CLOCK_OWN_FENCED + SWP_PTX_MOST_CHAINS,
    SWP_PTX_CLOCK_FENCED_COPIES = SWP_PTX_CLOCK_COPIES + SWP_PTX_MOST_CHAINS,
    SWP_PTX_CLOCK_STORES = SWP_PTX_CLOCK_FENCED_COPIES + SWP_PTX_MOST_CHAINS,
    /* …of wgmmas, phases, meetings. */
    SWP_PTX_CLOCK_WGMMA = SWP_PTX_CLOCK_STORES + SWP_PTX_MOST_CHAINS,
    SWP_PTX_CLOCK_PHASES = SWP_PTX_CLOCK_WGMMA + SWP_PTX_MOST_WARPS / SWP_PTX_GROUP_WARPS,
    SWP_PTX_CLOCK_GENERATIONS = SWP_PTX_CLOCK_PHASES + SWP_PTX_MOST_MBARRIERS,
    SWP_PTX_CLOCK_LENGTH = SWP_PTX_CLOCK_GENERATIONS + SWP_PTX_BARRIERS
};

typedef struct swp_ptx_clock {
    int at[SWP_PTX_CLOCK_LENGTH];
} swp_ptx_clock;

typedef enum swp_ptx_outcome {
    SWP_PTX_GOES_ON,
    SWP_PTX_ENDED,        /* no fault */
    SWP_PTX_FAULT,        /* see `finding` */
    SWP_PTX_INCONCLUSIVE, /* something is not followed: see `finding` */
    SWP_PTX_NEEDS,        /* arguments: `needed` */
    SWP_PTX_TOO_LONG,     /* to follow it to its end */
    SWP_PTX_DISCARDED,    /* it trapped */
} swp_ptx_outcome;

/* Which threads execute an instruction: warps by number, and of these lane 0, the others, or both. */
typedef struct swp_ptx_threads {
    uint32_t warps; /* 0: it is not told */
    unsigned chains;
} swp_ptx_threads;

/* How far what an instruction waits for has come, or what it counts in. */
typedef struct swp_ptx_facts {
    enum { SWP_PTX_NO_FACTS, SWP_PTX_PHASE_FACTS, SWP_PTX_MEETING_FACTS } of;
    int count;       /* arrivals, or threads… */
    int came;        /* …of which so many have come */
    int64_t bytes;   /* that are expected… */
    int64_t brought; /* …and that copies bring; -1: tensor maps say how many */
} swp_ptx_facts;

/* What was found, of instructions by number; -1: none. */
typedef struct swp_ptx_finding {
    swp_hazard_kind kind;
    int at;
    int other;
    int64_t low; /* bytes of shared memory; high 0: it is about none */
    int64_t high;
    const char *detail;
    const char *hint; /* NULL: the instructions say it (hints.c) */
    swp_ptx_threads of_at;
    swp_ptx_threads of_other;
    swp_ptx_facts facts; /* of `at`… */
    swp_ptx_facts other_facts;
    int groups; /* committed behind that of `other`, where it is in one; -1: it is in none, or that is open */
    bool unsure;  /* memory decides whether it happens, or a rule that the manual leaves open… */
    bool settled; /* …which no other run tells more of */
    bool ends;    /* what follows cannot be told without it: the run ends there */
} swp_ptx_finding;

/* What a wait may leave in flight, by two findings of one pair. */
static inline int swp_ptx_fewer_groups(const swp_ptx_finding *a, const swp_ptx_finding *b)
{
    return a->groups < b->groups ? a->groups : b->groups;
}

typedef struct swp_ptx_findings {
    swp_ptx_finding *items;
    size_t count;
    size_t capacity;
} swp_ptx_findings;

/* An access to shared memory that may still have to be waited for. */
typedef struct swp_ptx_access {
    int64_t low;
    int64_t high; /* behind the last byte */
    bool writes;
    bool is_async;  /* by the async proxy */
    bool is_atomic; /* two of these may come in any order */
    bool unsure;    /* memory decides whether it happens */
    bool guessed;   /* it happens if a box is as large as its room is (boxes.c) */
    bool of_data;   /* it stores what is not known */
    bool of_rows;   /* a wgmma reads A, of which each of its warps may have its own rows alone */
    int component;  /* who is beyond `value` there has waited for it */
    int value;
    int chain;
    int event; /* of the chain */
    int insn;
    int passed_chain; /* the last access that came behind it, of which other bytes come, too */
    int passed_event; /* 0: none has */
} swp_ptx_access;

/* Who is beyond `value` of this component has a proxy fence behind the write: one behind its wait, where it is a copy's. */
static inline int swp_ptx_fenced_by(const swp_ptx_access *access, int *value)
{
    const bool copied = access->component >= SWP_PTX_CLOCK_COPIES &&
                        access->component < SWP_PTX_CLOCK_FENCED_COPIES;
    *value = copied ? access->value : access->event;
    return (copied ? SWP_PTX_CLOCK_FENCED_COPIES : SWP_PTX_CLOCK_FENCED) + access->chain;
}

/* Where copies may overwrite it without more being asked, if they come behind. */
static inline bool swp_ptx_is_ordinary(const swp_ptx_access *access)
{
    return !access->is_async && access->component == access->chain;
}

typedef struct swp_ptx_accesses {
    swp_ptx_access *items;
    size_t count;
    size_t capacity;
} swp_ptx_accesses;

/* Accesses are cut into pieces that are kept by where they are, so that only those near by are looked at; long ones are kept apart, behind. */
enum {
    SWP_PTX_BUCKET_BYTES = 128,
    SWP_PTX_BUCKETS = 2048,
    SWP_PTX_LONG_SHELF_BYTES = 8192,
    SWP_PTX_LONG_SHELVES = SWP_PTX_BUCKETS * SWP_PTX_BUCKET_BYTES / SWP_PTX_LONG_SHELF_BYTES,
    SWP_PTX_ALL_SHELVES = SWP_PTX_BUCKETS + SWP_PTX_LONG_SHELVES,
    SWP_PTX_MOST_SHARED = SWP_PTX_BUCKETS * SWP_PTX_BUCKET_BYTES /* bytes that no work group has */
};

/* Of bytes and addresses of a bulk copy (PTX ISA, cp.async.bulk): none brings less, or a part of it. */
enum { SWP_PTX_COPY_UNIT = 16 };

/* A bulk copy that is on its way to shared memory. */
typedef struct swp_ptx_copy {
    swp_ptx_clock *issue;
    int chain;
    int event;
    int insn;
    int64_t to;
    int64_t bytes;   /* -1: its tensor map says */
    int64_t certain; /* so many of them do not depend on a guess */
    int64_t order;   /* of issue */
    bool is_tensor;
    bool is_ordinary; /* a store of a thread, of no other proxy… */
    bool is_atomic;   /* …or a reduction */
    uint64_t map;
} swp_ptx_copy;

typedef struct swp_ptx_copies {
    swp_ptx_copy *items;
    size_t count;
    size_t capacity;
} swp_ptx_copies;

/* An arrival of an instruction that arrives at several mbarriers; 0: of one that does not. */
typedef struct swp_ptx_split {
    int from; /* the first event of its chain behind which there were only such arrivals */
    int twin; /* the event of the warp's other chain at its arrival by this instruction */
} swp_ptx_split;

typedef struct swp_ptx_mbarrier {
    int64_t address; /* -1: it has been invalidated */
    int count;
    int pending;
    int phase; /* that is not complete */
    int64_t expected;
    int bytes_of; /* the number of the argument that alone says how many bytes are expected, and 1; 0: none */
    bool computed; /* arguments or memory say how many bytes are expected, not the code alone */
    int expect_insn;
    int expect_event
        [SWP_PTX_MOST_CHAINS]; /* the last mbarrier.expect_tx of each chain, in the phase */
    int insn;                  /* its init */
    int chain;
    int event;
    bool fenced;     /* by fence.mbarrier_init, or for proxies… */
    int fence_event; /* …in a cluster, known by those who are told after this */
    bool announced;  /* by fence.mbarrier_init, for the cluster */
    int meeting;     /* of the cluster, behind which all know that it is initialised; 0: none */
    int meeting_component;                              /* of clocks, that counts these */
    swp_ptx_copies copies;                              /* of the phase */
    swp_ptx_split split[SWP_PTX_MOST_CHAINS];           /* each chain's last arrival… */
    swp_ptx_split completed_split[SWP_PTX_MOST_CHAINS]; /* …and that of the phase before */
    swp_ptx_clock arrived;
    swp_ptx_clock completed;             /* of the phase before… */
    bool completed_alone;                /* …by arrivals, without copies */
    int wait_event[SWP_PTX_MOST_CHAINS]; /* events: the last wait of each chain… */
    int wait_phase[SWP_PTX_MOST_CHAINS]; /* …and the phase that it waited for, and 1 */
    int wait_insn[SWP_PTX_MOST_CHAINS];
} swp_ptx_mbarrier;

typedef struct swp_ptx_barrier {
    int expected; /* threads; 0: nobody has come */
    int arrivals;
    bool for_all; /* who has ended is not waited for */
    int rank;     /* of whose threads it is, in a cluster… */
    int name;     /* …where each has the number of its first use; 0: not in use */
    int generation;
    int insn;
    swp_ptx_clock arrived;
    swp_ptx_clock opened[2]; /* of the last meetings, by number */
} swp_ptx_barrier;

/* The last load of a flag in global memory of a chain that no proxy fence stands behind; event 0: none. */
typedef struct swp_ptx_flag {
    int event;
    int insn;
} swp_ptx_flag;

/* The last arrival of a chain at an mbarrier of another work group, or the last access to its shared memory. */
typedef struct swp_ptx_signal {
    int mbarrier; /* -1: it is an access to its shared memory */
    int owner;    /* the work group */
    int chain;
    int phase;
    int event;
    int insn;
    int meeting; /* of the cluster, behind which it has come; 0: none */
} swp_ptx_signal;

typedef struct swp_ptx_signals {
    swp_ptx_signal *items;
    size_t count;
    size_t capacity;
} swp_ptx_signals;

/* The test that decides a register of a chain; mbarrier 0: none does, -1: several do, else its number and 1. */
typedef struct swp_ptx_test {
    int mbarrier;
    int phase;
} swp_ptx_test;

/* A committed group of the wgmmas of four warps. */
typedef struct swp_ptx_group {
    unsigned committed; /* warps of the four */
    swp_ptx_clock issued;
} swp_ptx_group;

typedef struct swp_ptx_groups {
    swp_ptx_group *items;
    size_t count;
    size_t capacity;
} swp_ptx_groups;

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

/* A part of a parameter that is read, or a special register of the grid. */
typedef struct swp_ptx_argument {
    int param;      /* -1: special */
    int64_t offset; /* or the special register's number */
    int bits;
    bool given;
    bool stated; /* its value is the launch's… */
    int groups; /* …or below so many: the number of a work group of the launch, all of which are judged; 0: neither */
    uint64_t value;
    int64_t slope[SWP_PTX_COUNTS]; /* what it is more for each of a count */
    bool is_bytes; /* it says how many bytes a phase expects, and is not stated: byte_arguments.c */
    int unit;      /* elements of a pass, where it counts elements */
    bool is_count; /* the more it is, the longer are runs */
} swp_ptx_argument;

typedef struct swp_ptx_arguments {
    swp_ptx_argument items[SWP_PTX_MOST_ARGUMENTS];
    int count;
    const swp_audit_launch *launch;
} swp_ptx_arguments;

/* What a phase expects of its copies: the boxes of these maps bring so many bytes together. */
typedef struct swp_ptx_equation {
    uint64_t *maps; /* sorted */
    size_t count;
    int64_t bytes;
    int insn;
    int run; /* the last that it was said in */
    bool computed;
    bool stores;                 /* what is stated is of a map that a store has used */
    const swp_audit_box *stated; /* by the launch, and no phase says it; NULL: a phase does */
} swp_ptx_equation;

/* The boxes of a tensor map. */
typedef struct swp_ptx_size {
    uint64_t map;
    int64_t bytes; /* that follow from what phases expect… */
    int64_t guess; /* …or by the room that there was… */
    size_t places; /* …between so many places */
} swp_ptx_size;

typedef struct swp_ptx_sizes {
    swp_ptx_size *items;
    size_t count;
    size_t capacity;
} swp_ptx_sizes;

typedef struct swp_ptx_equations {
    swp_ptx_equation *items;
    size_t count;
    size_t capacity;
    swp_ptx_sizes sizes; /* of all maps that stand in them */
    int run;             /* that is followed: boxes have one size in a launch, not in all of them */
    bool changed; /* some is known to be another one than it was taken to be in a run before */
    bool settled; /* some that was taken from the room is known now */
    bool guessed; /* some is taken from the room, of copies whose bytes are computed */
    int *
        byte_arguments; /* of registers: which of them says how many bytes are expected, and 2; 1: none, 0: not looked for */
    char *constants;    /* of registers that bytes are expected by: constant_sources.c */
} swp_ptx_equations;

/* A copy of a phase of which an argument says how many bytes it expects. */
typedef struct swp_ptx_byte_copy {
    int argument;
    int phase;
    uint64_t map;
    int64_t to;
    int64_t bytes; /* -1: its map says */
} swp_ptx_byte_copy;

typedef struct swp_ptx_byte_copies {
    swp_ptx_byte_copy *items;
    size_t count;
    size_t capacity;
    int phases;
} swp_ptx_byte_copies;

/* Where copies of the kernel write. */
typedef struct swp_ptx_places {
    int64_t *items;
    size_t count;
    size_t capacity;
} swp_ptx_places;

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
