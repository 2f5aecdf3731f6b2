/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Value numbering of what is unknown and the same for all threads of a work group: two values of one term are equal. So a
 * number that arguments or memory decide, and that branches are compared with, can be given values of its own.
 */
#ifndef SWP_AUDIT_PTX_TERMS_H
#define SWP_AUDIT_PTX_TERMS_H

#include "audit/ptx/execute.h"

/* Of an argument in the list that is a term. */
enum { SWP_PTX_TERM = 1 << 20 };

typedef struct swp_ptx_term_source {
    int term; /* 0: a number */
    bool negated;
    uint64_t number;
} swp_ptx_term_source;

typedef struct swp_ptx_term {
    int operation; /* the first instruction of its name, an argument or a load */
    int insn;
    int bits;
    int count;
    swp_ptx_term_source sources[SWP_PTX_MOST_SOURCES + 1];
    swp_ptx_sources depends;
    int next; /* of one bucket */
} swp_ptx_term;

struct swp_ptx_terms {
    swp_context *ctx;
    swp_ptx_term *items; /* the first one is none */
    size_t count;
    size_t capacity;
    int *buckets;
    int *operations; /* of each instruction */
    bool
        whole; /* predicates of branches in no loop are given as they are, not what they are computed from */
};

swp_status swp_ptx_terms_open(swp_context *ctx, const swp_ptx_module *module,
                              struct swp_ptx_terms *out);

/* The number that a term has been given, or what is unknown and called by it. */
swp_ptx_value swp_ptx_value_of_term(swp_ptx_run *run, swp_ptx_term term);
/* Whether an instruction may be executed again. */
bool swp_ptx_is_in_loop(const swp_ptx_run *run, int at);

/* What an unknown value is called, or its number where its term has been given one. */
swp_ptx_value swp_ptx_term_of_argument(swp_ptx_run *run, int argument);
swp_ptx_value swp_ptx_term_of_load(const swp_ptx_step *step, int element);
swp_ptx_value swp_ptx_term_of_result(const swp_ptx_step *step, swp_ptx_value unknown,
                                     const swp_ptx_term_source *sources, int count);
/*
 * A comparison of a thread's place in the tile of its work group with what arguments say there is: taken for the same in all
 * threads, as where there are whole tiles alone. It is named by its instruction, which is in no loop; else it stays unknown.
 */
swp_ptx_value swp_ptx_term_of_tile(const swp_ptx_step *step, swp_ptx_value unknown,
                                   const swp_ptx_value *sources, int count);
bool swp_ptx_is_tile(const swp_ptx_term *term);

/* Whether a term may be computed from it: one number or one term. */
bool swp_ptx_takes_part(const swp_ptx_value *value);
bool swp_ptx_is_load(const swp_ptx_term *term);
/* Whether the value is named by a term for all lanes of the step. */
bool swp_ptx_has_term(const swp_ptx_step *step, const swp_ptx_value *value);
/* Asks for what decides an unknown value: arguments, or a term. */
void swp_ptx_ask_value(const swp_ptx_step *step, const swp_ptx_value *value, const char *detail);

#endif
