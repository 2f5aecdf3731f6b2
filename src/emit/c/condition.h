/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of a loop's ops that do not always run. */
#ifndef SWP_EMIT_C_CONDITION_H
#define SWP_EMIT_C_CONDITION_H

#include "emit/c/header.h"

/* What is known, where the header is written, of the iteration that the entries of a list count from. */
typedef struct swp_c_base {
    const char *kb; /* its name in the header */
    bool is_zero;
    int multiple_of; /* 0: it is 0 */
    int left;        /* iterations from it to the end of the run, or the least number of them… */
    bool is_exact;   /* …that may be */
} swp_c_base;

/* Of a list of a schedule of one form without warp roles. */
swp_c_base swp_c_base_of(const swp_c_header *header, swp_phase phase);

/* Whether an entry runs for no iteration that it is there for, as its place alone says. */
bool swp_c_loop_never_calls(const swp_c_header *header, const swp_entry *entry,
                            const swp_c_base *base);

/* Opens `if (...) {` before the call of an op that does not always run; false: there is nothing to close. */
bool swp_c_put_loop_condition(swp_c_header *header, const swp_entry *entry, const swp_c_base *base);

/* Whether an op asks for the last iteration, so that prologue and kernel are told how many there are. */
bool swp_c_loop_asks_for_last(const swp_c_header *header);

/* In the contract: those whose condition the kernel defines; the header has the others itself. */
void swp_c_put_loop_conditions(swp_c_header *header);

#endif
