/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file audit.h  Whether machine code still waits for what it uses (docs/audit.md).
 *
 * The audit reads a compiler's assembly and works on instructions, with registers by number: the
 * proof's machine (docs/verification.md, "The machine") with raw registers and raw barriers. All of this is in libswp-audit,
 * too, for programs that only audit; code against its schedule is in swp/audit_schedule.h.
 */
#ifndef SWP_AUDIT_H
#define SWP_AUDIT_H

#include "swp/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What an audit answers: X(constant, number, name, meaning). */
#define SWP_AUDIT_ANSWERS(X)                                                                       \
    X(SWP_AUDIT_NO_FAULT, 0, "no_fault", "every register is ready, every access in order")         \
    X(SWP_AUDIT_FAULT, 1, "fault", "some timing that the machine allows goes wrong")               \
    X(SWP_AUDIT_UNKNOWN, 2, "unknown", "nothing wrong is sure, but nor is that all is right")      \
    X(SWP_AUDIT_PROVEN, 3, "proven",                                                               \
      "computes the schedule's loop, for every number of tiles and every timing")                  \
    X(SWP_AUDIT_KEPT, 4, "kept",                                                                   \
      "has the schedule's copies, reads, MMAs, waits, arrivals and barriers in its order; their "  \
      "addresses and registers are not compared")

#define SWP_ENUMERATOR(constant, number, name, meaning) constant = (number),
typedef enum swp_audit_answer { SWP_AUDIT_ANSWERS(SWP_ENUMERATOR) } swp_audit_answer;
#undef SWP_ENUMERATOR

SWP_API const char *swp_audit_answer_name(swp_audit_answer answer);
SWP_API const char *swp_audit_answer_meaning(swp_audit_answer answer);

/** An instruction of the input. */
typedef struct swp_audit_site {
    int line;           /**< from 1; 0: there is none */
    const char *text;   /**< as written, without comments; NULL if there is none */
    const char *source; /**< the file that it was compiled from (.loc); NULL: not known */
    int source_line;    /**< of that file, from 1 */
    const char *
        caller; /**< the file that calls the function there, which was inlined; NULL: none, or not known */
    int caller_line;
} swp_audit_site;

/** Two instructions. */
typedef struct swp_audit_pair {
    swp_audit_site at;
    swp_audit_site other;
    int kernel; /**< index of the report's kernels, where it has any */
} swp_audit_pair;

typedef struct swp_audit_pair_list {
    swp_audit_pair *items;
    size_t count;
    size_t capacity;
} swp_audit_pair_list;

/** Two accesses of which one may come too early, or a register that may. */
typedef struct swp_audit_finding {
    swp_hazard_kind kind;  /**< register_not_ready, stale_read, overwritten or write_race */
    bool certain;          /**< false: it depends on something that cannot be told, see `detail` */
    bool earlier_pass;     /**< `other` was issued in an earlier pass of the loop */
    swp_audit_site at;     /**< what comes too early */
    swp_audit_site other;  /**< what it must come after */
    swp_audit_site wait;   /**< the last wait between them that could have helped */
    const char *place;     /**< registers such as "v[4:7]", or "LDS bytes 4096 to 8191" */
    const char *detail;    /**< the missing link */
    const char *should_be; /**< the wait or barrier that would be enough; "" if it cannot be told */
    const char *hint;
    int kernel;           /**< index of the report's kernels, where it has any */
    const char *accepted; /**< why a baseline accepts it; NULL: none does */
    swp_audit_pair_list
        also; /**< where else it goes wrong alike: in copies of the code that a compiler made of one loop or template */
} swp_audit_finding;

typedef struct swp_audit_finding_list {
    swp_audit_finding *items;
    size_t count;
    size_t capacity;
} swp_audit_finding_list;

/** Something that is not known or was not checked, and where: line 0 for nowhere in particular. */
typedef struct swp_audit_note {
    swp_audit_site at;
    const char *why;
} swp_audit_note;

typedef struct swp_audit_note_list {
    swp_audit_note *items;
    size_t count;
    size_t capacity;
} swp_audit_note_list;

/* How code differs from its schedule: X(constant, number, name, meaning). */
#define SWP_AUDIT_CHANGES(X)                                                                       \
    X(SWP_AUDIT_MOVED, 0, "moved", "stands elsewhere than the schedule has it")                    \
    X(SWP_AUDIT_MERGED, 1, "merged", "counts fewer accesses: several became one")                  \
    X(SWP_AUDIT_RECOUNTED, 2, "recounted", "counts other accesses than the schedule states")       \
    X(SWP_AUDIT_REWAITED, 3, "rewaited", "waits for another count")                                \
    X(SWP_AUDIT_VANISHED, 4, "vanished", "is in the schedule and not in the code")                 \
    X(SWP_AUDIT_ADDED, 5, "added", "is in the code and not in the schedule")

#define SWP_ENUMERATOR(constant, number, name, meaning) constant = (number),
typedef enum swp_audit_change_kind { SWP_AUDIT_CHANGES(SWP_ENUMERATOR) } swp_audit_change_kind;
#undef SWP_ENUMERATOR

SWP_API const char *swp_audit_change_name(swp_audit_change_kind kind);
SWP_API const char *swp_audit_change_meaning(swp_audit_change_kind kind);

/** A difference between code and schedule. Not a fault by itself. */
typedef struct swp_audit_change {
    swp_audit_change_kind kind;
    swp_phase phase;
    swp_audit_site at; /**< line 0: nothing in the code */
    int entry;         /**< of the schedule's phase; -1: none */
    const char *name;  /**< of the op there; "" if there is none */
    const char *detail;
    bool weakens; /**< something may now come too early, for all that this says */
    bool has_cycles;
    int64_t cycles; /**< that a wait stalls in a pass, by the cycle model */
} swp_audit_change;

typedef struct swp_audit_change_list {
    swp_audit_change *items;
    size_t count;
    size_t capacity;
} swp_audit_change_list;

/** A hazard (docs/verification.md, "Hazards") in what the code carries out. */
typedef struct swp_audit_hazard {
    swp_hazard_kind kind;
    bool in_schedule;  /**< the schedule has it as well */
    swp_entry_ref ref; /**< the schedule's entry, -1 where there is none */
    const char *name;
    swp_audit_site at;
    swp_entry_ref other_ref; /**< of `other` in the schedule; entry -1: none */
    const char *other_name;  /**< NULL: there is no other */
    swp_audit_site other;    /**< line 0: there is none */
    int passes_before;       /**< how many passes before `at` the other one stands */
    int smallest_n;          /**< least number of K tiles that shows it */
    const char *detail;
    const char *hint;
} swp_audit_hazard;

typedef struct swp_audit_hazard_list {
    swp_audit_hazard *items;
    size_t count;
    size_t capacity;
} swp_audit_hazard_list;

/** A loop, with how many instructions of each kind one pass holds at most. */
typedef struct swp_audit_loop {
    const char *function;
    int first_line;
    int last_line;
    bool innermost;
    int copies; /**< passes that had to be told apart to know all addresses */
    int loads_to_lds;
    int lds_reads;
    int lds_writes;
    int matrix;
    int waits;
    int barriers;
} swp_audit_loop;

typedef struct swp_audit_loop_list {
    swp_audit_loop *items;
    size_t count;
    size_t capacity;
} swp_audit_loop_list;

/** A wait that may be weaker, or a barrier that may go: all that is advised holds at once. */
typedef struct swp_audit_advice {
    swp_audit_site at;
    const char *should_be; /**< what to write instead; "": nothing */
    const char *why;
    bool has_cycles;
    double cycles; /**< that a pass of its loop takes less with this alone, by the cycle model */
} swp_audit_advice;

typedef struct swp_audit_advice_list {
    swp_audit_advice *items;
    size_t count;
    size_t capacity;
} swp_audit_advice_list;

/** Cycles that a pass of a loop takes one wave, by the cycle model. */
typedef struct swp_audit_pace {
    int loop; /**< index of the report's loops */
    double cycles;
    double advised_cycles; /**< with all that is advised */
} swp_audit_pace;

typedef struct swp_audit_pace_list {
    swp_audit_pace *items;
    size_t count;
    size_t capacity;
} swp_audit_pace_list;

/** The value of an argument of a kernel in PTX. */
typedef struct swp_audit_argument {
    const char *
        name; /**< of the parameter, as the file or `names` of the launch has it; NULL: `param` says which one */
    int param; /**< number of the parameter in the kernel's list, from 0 */
    int byte;  /**< of the parameter where the value begins: where the kernel reads one */
    int64_t
        value; /**< signed or unsigned, as many bits as the kernel reads there: with n bits from -2^(n-1) to 2^n - 1 */
} swp_audit_argument;

/** The box of a tensor map that stands in a parameter of a kernel, which PTX does not show. */
typedef struct swp_audit_box {
    const char *name; /**< of the parameter, as above; NULL: `param` says which one */
    int param;        /**< number of the parameter in the kernel's list, from 0 */
    int byte;         /**< of the parameter where the map begins */
    int64_t bytes;    /**< that one copy brings to shared memory: 16 to 262144, a multiple of 16 */
} swp_audit_box;

enum {
    SWP_AUDIT_BOX_DIMENSIONS = 5,  /**< that the box of a tensor map has at most */
    SWP_AUDIT_MOST_SHARED = 262144 /**< bytes of dynamic shared memory that can be stated */
};

/* Elements of tensor maps: X(name, bits). */
/* clang-format off */
#define SWP_AUDIT_ELEMENTS(X) \
    X("u8", 8) X("s8", 8) X("i8", 8) X("uint8", 8) X("int8", 8) X("e4m3", 8) X("e5m2", 8) X("float8_e4m3fn", 8) X("float8_e5m2", 8) \
    X("u16", 16) X("s16", 16) X("uint16", 16) X("int16", 16) X("f16", 16) X("float16", 16) X("bf16", 16) X("bfloat16", 16) \
    X("u32", 32) X("s32", 32) X("uint32", 32) X("int32", 32) X("f32", 32) X("float32", 32) X("tf32", 32) \
    X("u64", 64) X("s64", 64) X("uint64", 64) X("int64", 64) X("f64", 64) X("float64", 64) \
    X("u4", 4) X("e2m1", 4)
/* clang-format on */

/** Bits of an element by its name, such as "bf16"; 0: there is no such type. */
SWP_API int swp_audit_element_bits(const char *name);

/**
 * What is known of a launch of kernels in PTX. All zeros: nothing. What is stated holds for each kernel that is judged; what
 * is not may be anything.
 */
typedef struct swp_audit_launch {
    const char *
        kernel; /**< a part of the names of the kernels to judge, as the file writes them; NULL: all */
    const swp_audit_argument
        *arguments; /**< `argument_count` of them, each place of a parameter once */
    size_t argument_count;
    const swp_audit_box *boxes; /**< `box_count` of them, each map once */
    size_t box_count;
    int64_t shared; /**< bytes of dynamic shared memory, up to 262144, with `has_shared` */
    bool has_shared;
    const char *const *
        names; /**< `name_count` of them: what the author calls the parameters, from the first one on; compilers do not keep these */
    size_t name_count;
    /**
     * Work groups in each dimension, 1 to 2147483647, 65535 and 65535; {0, 0, 0}: not known. All of them are judged, unless
     * `work_group` says which one.
     */
    int grid[3];
    int block
        [3]; /**< threads of a work group in each dimension, together up to 1024; {0, 0, 0}: those of the file */
    bool one_work_group; /**< only the work group of this number is judged: */
    int work_group[3];   /**< from 0, below `grid` where that is known */
    int cluster
        [3]; /**< work groups of a cluster in each dimension, together up to 16; {0, 0, 0}: what the file says */
} swp_audit_launch;

/** A kernel in PTX, and what is said of it. */
typedef struct swp_audit_kernel {
    const char *name;   /**< as its author writes it, where that can be told (C++ names) */
    const char *symbol; /**< as the file writes it */
    int line;
    swp_audit_answer answer;
    int faults;         /**< certain findings that are about it */
    int unknown;        /**< findings that are not certain, and notes */
    const char *proven; /**< what is shown of it, a sentence; "": nothing */
    const char *open;   /**< what is not, a sentence; "": nothing that is known */
} swp_audit_kernel;

typedef struct swp_audit_kernel_list {
    swp_audit_kernel *items;
    size_t count;
    size_t capacity;
} swp_audit_kernel_list;

typedef struct swp_audit_report {
    const char *file;
    const char *target; /**< "gfx942", "gfx950" */
    swp_audit_answer answer;
    swp_audit_loop_list loops;     /**< by line */
    swp_audit_kernel_list kernels; /**< of PTX, that were judged, by line */
    swp_audit_finding_list
        findings; /**< the certain ones first, then by kernel and line; one for each instruction and kind */
    swp_audit_note_list unknown_instructions; /**< by line */
    swp_audit_note_list assumptions;          /**< what the answer takes for given, by line */
    int instructions;                         /**< that were judged */
    swp_audit_launch launch;                  /**< what was stated of it; a copy */
    /* Of swp_audit_schedule(). */
    const char *schedule;          /**< its name; NULL: there was none */
    int main_loop;                 /**< index of the loop that carries it; -1: none does */
    swp_audit_note_list obstacles; /**< what keeps code and schedule from being compared */
    swp_audit_change_list changes; /**< by phase and line */
    swp_audit_hazard_list hazards; /**< by phase and line */
    bool has_cycles;
    double schedule_cycles; /**< a pass, by the cycle model */
    double code_cycles;
    /* Of swp_audit_advise(). */
    bool advised;                 /**< advice was looked for */
    swp_audit_advice_list advice; /**< by line */
    swp_audit_pace_list paces;    /**< of loops that it is about, where they have one way through */
} swp_audit_report;

/**
 * Judges every function of an assembly file on its own.
 * @param text  `length` bytes; need not outlive the call
 * @param file  its name, for diagnostics; must outlive the context
 * @return SWP_OK with a report whatever its answer; SWP_INVALID for what is no assembly that the
 *         audit reads (E0811 to E0815).
 */
SWP_API swp_status swp_audit(swp_context *ctx, const char *text, size_t length, const char *file,
                             swp_audit_report *out);

/**
 * The same as swp_audit(), and of code in which nothing is wrong, without an assumption more: which waits may be weaker, and
 * which barriers may go (docs/audit.md, "Advice"). Judges each function once for every wait and barrier that may be so.
 */
SWP_API swp_status swp_audit_advise(swp_context *ctx, const char *text, size_t length,
                                    const char *file, swp_audit_report *out);

/*
 * What the audit of PTX takes for a rule of the machine, where the manual leaves it open: X(constant, number, name, default, meaning).
 * The names that begin with `machine.` are settings of schedules, which the proof reads.
 */
#define SWP_AUDIT_RULES(X)                                                                         \
    X(SWP_AUDIT_FENCE_READS, 0, "machine.fence_reads", true,                                       \
      "ordinary reads need a proxy fence before an asynchronous operation overwrites the place")   \
    X(SWP_AUDIT_FENCE_ANYWHERE, 1, "audit.fence_anywhere", false,                                  \
      "a proxy fence counts wherever it stands on the way from an ordinary access to the "         \
      "asynchronous operation")                                                                    \
    X(SWP_AUDIT_FENCE_INITS, 2, "audit.fence_inits", false,                                        \
      "copies see that an mbarrier is initialised behind a fence alone")                           \
    X(SWP_AUDIT_FENCE_GLOBALS, 3, "audit.fence_globals", false,                                    \
      "bulk copies see what a flag in global memory tells of behind a proxy fence alone")          \
    X(SWP_AUDIT_ELECT_LOWEST, 4, "audit.elect_lowest", true,                                       \
      "elect.sync elects the lowest thread of its mask; if not, the highest")                      \
    X(SWP_AUDIT_NAMED_SCOPES, 5, "audit.named_scopes", false,                                      \
      "a wait that names no scope is one of .cta also for what other work groups have told")

#define SWP_ENUMERATOR(constant, number, name, holds, meaning) constant = (number),
typedef enum swp_audit_rule { SWP_AUDIT_RULES(SWP_ENUMERATOR) SWP_AUDIT_RULE_COUNT } swp_audit_rule;
#undef SWP_ENUMERATOR

/** The setting of a rule; "" for a number that is none. */
SWP_API const char *swp_audit_rule_name(swp_audit_rule rule);
SWP_API const char *swp_audit_rule_meaning(swp_audit_rule rule);
/** Whether it holds unless it is changed. */
SWP_API bool swp_audit_rule_holds(swp_audit_rule rule);

/** What an audit is asked for beside its file; all zeros: what swp_audit() does. */
typedef struct swp_audit_options {
    bool advice;             /**< as for swp_audit_advise() */
    bool first;              /**< of PTX: the first finding of a kernel is enough */
    swp_audit_launch launch; /**< of PTX only (docs/audit.md, "A launch") */
    uint32_t
        changed_rules; /**< of PTX only: a bit for each swp_audit_rule that is not as by default */
} swp_audit_options;

/**
 * The same as the two above. With a launch the answer is about the arguments that it states, for all values of the others:
 * where at most one of these decides the flow of a kernel, it may be SWP_AUDIT_NO_FAULT.
 * @return SWP_INVALID also for a launch of what is no PTX, or that no kernel of the file can have (E0819): a parameter or a place
 *         of it that none reads, or that is no tensor map of a copy; a value out of range; a place that is stated twice; more threads
 *         or work groups than there may be.
 */
SWP_API swp_status swp_audit_with(swp_context *ctx, const char *text, size_t length,
                                  const char *file, const swp_audit_options *options,
                                  swp_audit_report *out);

/** A paragraph for each finding, with the instructions it is about; then a closing line. */
SWP_API swp_status swp_audit_text(swp_context *ctx, const swp_audit_report *report, char **text,
                                  size_t *length);

/** A line for each kernel, or for the file where it has none, and one for each of its findings. */
SWP_API swp_status swp_audit_brief(swp_context *ctx, const swp_audit_report *report, char **text,
                                   size_t *length);

/** A file that was to be judged. */
typedef struct swp_audit_file_result {
    const char *file;
    const swp_audit_report *report; /**< NULL: there is none, */
    const char *why;                /**< because of this */
} swp_audit_file_result;

/** SARIF 2.1.0 (OASIS) of `count` files: code hosts show its results beside the source. */
SWP_API swp_status swp_audit_sarif(swp_context *ctx, const swp_audit_file_result *files,
                                   size_t count, char **text, size_t *length);

/** JUnit XML of `count` files: a suite for each, and a case for each kernel. */
SWP_API swp_status swp_audit_junit(swp_context *ctx, const swp_audit_file_result *files,
                                   size_t count, char **text, size_t *length);

/** A finding that is accepted, wherever it is found: what is not said may be anything. */
typedef struct swp_audit_accepted {
    const char *kernel; /**< its name before any `<` */
    const char *kind;
    const char *at;    /**< names of the instructions, such as "ld.shared.f32" */
    const char *other; /**< "": there is none */
    int number; /**< among the findings of the kernel that are alike in this, by line, from 0 */
    const char *reason;
    int entry; /**< of the file, from 0 */
    bool used; /**< something was found that it accepts */
} swp_audit_accepted;

typedef struct swp_audit_baseline {
    swp_audit_accepted *items;
    size_t count;
    size_t capacity;
} swp_audit_baseline;

/**
 * Reads accepted findings (docs/audit.md, "A baseline").
 * @return SWP_INVALID for what is none (E0841), also where an entry has no reason or a key that is not known.
 */
SWP_API swp_status swp_audit_baseline_read(swp_context *ctx, const char *text, size_t length,
                                           const char *file, swp_audit_baseline *out);

/** Marks the report's findings that are accepted, and gives the answers that are left. */
SWP_API swp_status swp_audit_baseline_apply(swp_context *ctx, swp_audit_baseline *baseline,
                                            swp_audit_report *report);

/** Warns of each entry that nothing was found for (W0841): it can go. */
SWP_API swp_status swp_audit_baseline_check(swp_context *ctx, const swp_audit_baseline *baseline,
                                            const char *file);

/**
 * Reads a launch (docs/audit.md, "A launch as a file").
 * @return SWP_INVALID for what is none (E0842).
 */
SWP_API swp_status swp_audit_launch_read(swp_context *ctx, const char *text, size_t length,
                                         const char *file, swp_audit_launch *out);

/** Reads what swp_audit_json() has written of PTX, without a schedule and without advice. */
SWP_API swp_status swp_audit_read(swp_context *ctx, const char *text, size_t length,
                                  const char *file, swp_audit_report *out);

/** The findings of `count` files as a baseline; those that were accepted keep their reason, the others have none yet. */
SWP_API swp_status swp_audit_baseline_json(swp_context *ctx, const swp_audit_file_result *files,
                                           size_t count, char **text, size_t *length);

/** The stable format of `swp audit --format json`. */
SWP_API swp_status swp_audit_json(swp_context *ctx, const swp_audit_report *report, char **text,
                                  size_t *length);

#ifdef __cplusplus
}
#endif
#endif
