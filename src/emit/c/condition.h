/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of a loop's ops that do not always run. */
#ifndef SWP_EMIT_C_CONDITION_H
#define SWP_EMIT_C_CONDITION_H

#include "emit/c/header.h"

/* Whether an entry runs for no iteration that it is there for, as its place alone says. */
bool swp_c_loop_never_calls(const swp_c_header *header, const swp_entry *entry);

/* Opens `if (...) {` before the call of an op that does not always run; false: there is nothing to close. */
bool swp_c_put_loop_condition(swp_c_header *header, const swp_entry *entry, const char *kb);

/* Whether an op asks for the last iteration, so that prologue and kernel are told how many there are. */
bool swp_c_loop_asks_for_last(const swp_c_header *header);

/* In the contract: those whose condition the kernel defines; the header has the others itself. */
void swp_c_put_loop_conditions(swp_c_header *header);

#endif
