/* SPDX-License-Identifier: Apache-2.0 */
/* Waits and barriers that are edited while the audit still finds nothing. */
#ifndef SWP_AUDIT_ADVICE_WEAKEN_H
#define SWP_AUDIT_ADVICE_WEAKEN_H

#include "audit/advice/advice.h"

typedef struct swp_advice_edit {
    int insn;
    int depth; /* loops that it is in */
    int loop;
    bool is_wait;
    swp_insn before;
    swp_insn after;
} swp_advice_edit;

typedef struct swp_advice_edit_list {
    swp_advice_edit *items;
    size_t count;
    size_t capacity;
} swp_advice_edit_list;

typedef struct swp_advisor {
    swp_context *ctx;
    const char *file;
    swp_machine_code *code;
    swp_judged *judged;
    const swp_wait_room *rooms; /* by instruction and counter */
    size_t assumptions;         /* that the code as it is takes for given */
    bool shared_outside;
    swp_advice_edit_list edits;
    size_t first_loop;
    swp_audit_report *out;
} swp_advisor;

static inline swp_insn *swp_advice_insn(const swp_advisor *a, int index)
{
    return &a->code->insns.items[index];
}

swp_status swp_advice_count_assumptions(const swp_fixpoint *fixpoint, size_t *out);

/* As weak as it may be, in the code as it is edited now. */
swp_status swp_advice_try_edit(const swp_advisor *a, swp_advice_edit *e);

/* The waits of a loop that have room, all with one count: the largest that they may have. */
swp_status swp_advice_weaken_alike(const swp_advisor *a, int loop);

#endif
