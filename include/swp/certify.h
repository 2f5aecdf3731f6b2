/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file certify.h  Checking certificates of answers to scheduling problems (docs/certificates.md).
 *
 * Nothing here shares code with the solver: the answer is judged by the definition of the problem,
 * every bound by its own arithmetic, and every refutation by a formula that is built again from the
 * problem and a DRAT checker. A claim that does not hold is refused, with what is wrong and where.
 */
#ifndef SWP_CERTIFY_H
#define SWP_CERTIFY_H

#include "swp/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A list of indices. */
typedef struct swp_index_list {
    const int *items;
    size_t count;
} swp_index_list;

/** A list of lists of indices. */
typedef struct swp_index_lists {
    const swp_index_list *items;
    size_t count;
} swp_index_lists;

/** What a step of a certificate proves its bound by. */
typedef enum swp_certificate_step_kind {
    SWP_CERTIFICATE_RESOURCE,  /**< what one resource has to carry */
    SWP_CERTIFICATE_PATH,      /**< makespan: a path of edges */
    SWP_CERTIFICATE_CYCLE,     /**< modulo: a cycle of edges */
    SWP_CERTIFICATE_REFUTATION /**< a formula that has no model, by a DRAT proof */
} swp_certificate_step_kind;

/** What a refutation refutes. */
typedef enum swp_refutation_scope {
    SWP_REFUTED_VALUE,    /**< that a schedule of the step's value exists */
    SWP_REFUTED_COMPONENT /**< that the ops of one component can be scheduled at all */
} swp_refutation_scope;

/** One step, as its line says it. Members that its kind has no use for are zero. */
typedef struct swp_certificate_step {
    swp_certificate_step_kind kind;
    swp_place place;            /**< of its line */
    int resource;               /**< of a resource step */
    swp_amount_weights weights; /**< of its amounts */
    int op;                     /**< where the path of a path step begins */
    swp_index_list edges;       /**< of a path or cycle step, in order */
    swp_refutation_scope scope; /**< the rest is of a refutation */
    int64_t value;
    swp_index_list references;     /**< ops: one for each encoded component */
    int fixed;                     /**< the reference that is put to time 0; -1: none */
    swp_index_lists alike;         /**< ops that may change places, and stand in order */
    const swp_index_lists *groups; /**< by resource: groups of numbers of uses */
    size_t group_count;            /**< the number of resources that `groups` has */
    int64_t variables;
    int64_t clauses;
    swp_problem_text formula; /**< its clauses, one a line */
    swp_problem_text proof;   /**< its steps, one a line */
} swp_certificate_step;

/** A certificate, as its lines say it. */
typedef struct swp_certificate {
    const char *name; /**< of its problem */
    swp_problem_kind problem;
    swp_answer_status status;
    bool has_value;
    int64_t value; /**< meaningless without `has_value` */
    const swp_certificate_step *steps;
    size_t step_count;
    swp_place place;
} swp_certificate;

/** The answer to "does the certificate prove the answer?". */
typedef enum swp_certificate_verdict {
    SWP_CERTIFICATE_ACCEPTED, /**< all that the answer claims is proven */
    SWP_CERTIFICATE_REFUSED,  /**< something is wrong: `why`, at `place` */
    SWP_CERTIFICATE_UNPROVEN, /**< nothing is wrong, but the answer's bound is not proven */
    SWP_CERTIFICATE_STOPPED   /**< by a limit of the context */
} swp_certificate_verdict;

/** What an answer claims beside its value: of a loop, that an objective is least. */
typedef struct swp_certificate_claim {
    const char *name;
    int64_t value;
    bool proven; /**< false: the answer does not claim it */
} swp_certificate_claim;

/** What the check of one certificate found. The texts live as long as the context. */
typedef struct swp_certificate_report {
    const char *name;
    swp_certificate_verdict verdict;
    const char *why; /**< NULL where it is accepted */
    swp_place place; /**< what `why` is about; zero: the whole */
    size_t step;     /**< the step that it is about, from 1; 0: none */
    size_t part;     /**< of a loop: the part that the step is one of, from 1; 0: none */
    swp_answer_status status;
    int64_t value;                       /**< of the answer; meaningless where it has no schedule */
    int64_t bound;                       /**< of the answer */
    int64_t proven;                      /**< by the steps: no schedule has a smaller value */
    const swp_certificate_claim *claims; /**< of a loop, once its certificate holds */
    size_t claim_count;
    size_t parts; /**< of a loop's certificate */
    size_t steps;
    size_t refutations;
    uint64_t clauses;   /**< of the formulas */
    uint64_t additions; /**< of the proofs, checked; of them by RAT: */
    uint64_t rat;
    uint64_t deletions; /**< done; and of clauses that there are not: */
    uint64_t unknown_deletions;
    double seconds;
} swp_certificate_report;

/** Returns the word of a verdict in reports: "accepted", "refused", "unproven", "stopped". */
SWP_API const char *swp_certificate_verdict_name(swp_certificate_verdict verdict);

/**
 * Checks an answer and its certificate, within the limits of the context: work is counted in clauses
 * looked at.
 * @param problem      one that swp_problem_check() accepts
 * @param certificate  NULL: there is none, and only the answer is judged
 * @return SWP_OK with any verdict; SWP_INVALID, with a diagnostic, for a problem that is none or a
 *         proof that is not DRAT.
 */
SWP_API swp_status swp_certificate_check(swp_context *ctx, const swp_problem *problem,
                                         const swp_answer *answer,
                                         const swp_certificate *certificate,
                                         swp_certificate_report *report);

/** Writes a report for people: a line, and one more for what is refused. */
SWP_API swp_status swp_certificate_text(swp_context *ctx, const swp_certificate_report *report,
                                        char **text, size_t *length);

/** One certificate of a file of many: its lines, and its name. */
typedef struct swp_certificate_part {
    const char *name;
    swp_problem_text text;
} swp_certificate_part;

typedef struct swp_certificate_parts {
    swp_certificate_part *items;
    size_t count;
    size_t capacity;
} swp_certificate_parts;

/**
 * Cuts a file of certificates into its parts.
 * @param file  what places carry as `file`
 * @param out   zero-initialised; points into `text`
 * Absent in core-only builds, as are the functions below.
 */
SWP_API swp_status swp_certificate_split(swp_context *ctx, const char *text, size_t length,
                                         const char *file, swp_certificate_parts *out);

/** Reads a certificate. Its formulas and proofs are left where they are. */
SWP_API swp_status swp_certificate_read(swp_context *ctx, const swp_problem_text *text,
                                        swp_certificate *out);

/** Reports, in the order of what they are about. */
typedef struct swp_certificate_reports {
    swp_certificate_report *items;
    size_t count;
    size_t capacity;
} swp_certificate_reports;

/**
 * The problems of one file with the answers and certificates of two others, matched by name. Where several problems
 * share a name, the first answer and certificate of the name belong to the first of them, and so on.
 */
typedef struct swp_certificate_batch swp_certificate_batch;

/**
 * Cuts three files into their parts, and reads the answers.
 * @param out  points into the texts, and lives as long as the context
 */
SWP_API swp_status swp_certificate_batch_new(swp_context *ctx, const swp_problem_text *problems,
                                             const swp_problem_text *answers,
                                             const swp_problem_text *certificates,
                                             swp_certificate_batch **out);

/** Returns the number of problems in a batch. */
SWP_API size_t swp_certificate_batch_count(const swp_certificate_batch *batch);

/**
 * Reads a problem of a batch, and checks its answer and certificate; where one of them is missing, that is refused.
 * To be called once for each problem, in their order.
 * @param ctx    may be another one than that of the batch: its limits are for this check
 * @param index  of the problem, from 0, below swp_certificate_batch_count()
 * @return as swp_certificate_check(); SWP_INVALID also where the problem or its certificate is malformed, which keeps
 *         no other problem from being checked.
 */
SWP_API swp_status swp_certificate_batch_check(swp_context *ctx, swp_certificate_batch *batch,
                                               size_t index, swp_certificate_report *report);

/**
 * Refuses the answers and certificates that no problem has, once all are checked.
 * @param out  zero-initialised
 */
SWP_API swp_status swp_certificate_batch_unmatched(swp_context *ctx,
                                                   const swp_certificate_batch *batch,
                                                   swp_certificate_reports *out);

/** Writes a report as JSON: one line without its end. */
SWP_API swp_status swp_certificate_json(swp_context *ctx, const swp_certificate_report *report,
                                        char **text, size_t *length);

#ifdef __cplusplus
}
#endif
#endif
