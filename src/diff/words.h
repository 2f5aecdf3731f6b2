/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the entries of both schedules as words of one vocabulary: entries that do the same are one word. */
#ifndef SWP_DIFF_WORDS_H
#define SWP_DIFF_WORDS_H

#include "base/context.h"
#include "diff/roles.h"
#include "swp/diff.h"

/* The cost of all ops of a name, if the two schedules disagree on it. */
typedef struct swp_diff_cost {
    const char *name; /* of the ops */
    size_t offset;    /* of the member in swp_op, which is an int */
    int a;
    int b;
    size_t setting; /* its row */
} swp_diff_cost;

typedef struct swp_diff_cost_list {
    swp_diff_cost *items;
    size_t count;
    size_t capacity;
} swp_diff_cost_list;

/* Returns where an op has the value of a cost. */
int *swp_diff_cost_of(swp_op *op, const swp_diff_cost *cost);

typedef struct swp_diff_word {
    const char *name;
    swp_op op; /* without what the comparison leaves out */
    int in_a;  /* how often it stands in A's phase */
    int in_b;
} swp_diff_word;

/* A phase of A and of B, entry by entry, as indices into `words`. */
typedef struct swp_diff_words {
    swp_diff_word *items;
    size_t count;
    size_t capacity;
    int *a;
    int *b;
    size_t a_count;
    size_t b_count;
} swp_diff_words;

/* A list of A and one of B. */
typedef struct swp_diff_lists {
    const swp_schedule *a;
    const swp_schedule *b;
    const swp_entry_list *in_a;
    const swp_entry_list *in_b;
} swp_diff_lists;

/* Returns the entries of a phase of a stream; for stream -1 the list is empty. */
const swp_entry_list *swp_diff_list(const swp_schedule *schedule, int stream, swp_phase phase);

/* Reads both. Costs in the list have rows of their own, so ops that differ in them alone are one word. */
swp_status swp_diff_read_words(swp_context *ctx, const swp_diff_lists *lists,
                               const swp_diff_cost_list *costs, const swp_diff_objects *objects,
                               swp_diff_words *out);

/* Returns whether it is an op of the kernel, not synchronisation or a hint of the framework. */
bool swp_diff_is_work(const swp_diff_word *word);

/* Returns whether they are the same op with other numbers. */
bool swp_diff_same_op(const swp_diff_word *a, const swp_diff_word *b);

#endif
