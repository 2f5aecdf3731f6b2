/* SPDX-License-Identifier: Apache-2.0 */
/* What an entry asks of code, as its effect says. */
#ifndef SWP_AUDIT_MATCH_ENTRY_INSN_H
#define SWP_AUDIT_MATCH_ENTRY_INSN_H

#include "audit/code/insn.h"
#include "ir/effects.h"

/* The kind of instruction that carries it out; SWP_INSN_NOTHING: none does. */
swp_insn_kind swp_match_entry_insn(const swp_effect *effect);

/* The counter that a wait is for. */
int swp_match_counter_of(swp_wait_kind wait);

/* The counter that an access counts in, which is not untracked. */
int swp_match_entry_counter(const swp_effect *effect);

/* The place in LDS that it reads or writes; -1: none. */
int swp_match_entry_place(const swp_effect *effect);

bool swp_match_entry_writes_register(const swp_effect *effect, int number);

#endif
