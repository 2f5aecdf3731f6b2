/* SPDX-License-Identifier: Apache-2.0 */
/* What finds the edits for a hazard: offers of one edit each. */
#ifndef SWP_VERIFY_FINDER_H
#define SWP_VERIFY_FINDER_H

#include "swp/loop.h"
#include "verify/candidates.h"

typedef struct swp_finder {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_loop
        *loop; /* whose ops its entries do; NULL: the kinds of the ops say what they do */
    const swp_hazard *hazard;
    swp_edit_list *out;
} swp_finder;

static inline const swp_entry_list *swp_entries_of(const swp_finder *f, swp_phase phase)
{
    return swp_schedule_phase(f->schedule, phase);
}

/* NULL for the end of a phase. */
static inline const swp_op *swp_sync_op_at(const swp_finder *f, swp_entry_ref at)
{
    const swp_entry_list *entries = swp_entries_of(f, at.phase);
    return at.entry >= 0 && (size_t)at.entry < entries->count ? &entries->items[at.entry].op : NULL;
}

static inline swp_status swp_offer(swp_finder *f, swp_edit edit)
{
    return swp_edits_push(f->ctx, f->out, edit);
}

static inline swp_status swp_offer_set(swp_finder *f, swp_entry_ref at, const char *member,
                                       swp_op op)
{
    return swp_offer(
        f,
        (swp_edit){.kind = SWP_EDIT_SET, .at = at, .member = member, .ops = {op}, .op_count = 1});
}

/* The entry elsewhere in its list, the nearest positions first, or nowhere. */
swp_status swp_verify_offer_moves(swp_finder *f, swp_entry_ref at);
swp_status swp_verify_offer_removal(swp_finder *f, swp_entry_ref at);
/* Edits of each of the two entries of the hazard. */
swp_status swp_verify_offer_both(swp_finder *f,
                                 swp_status (*offer_each)(swp_finder *f, swp_entry_ref at));

/* The wait for the counter that an op is on; -1: it is on none. */
int swp_verify_wait_tag(const swp_finder *f, const swp_op *op);

/* A wait, unless its tag is -1, and barriers before an entry. */
swp_edit swp_verify_order_insertion(swp_entry_ref at, int tag, int barriers);

/* Waits and barriers between the two entries of a hazard. */
swp_status swp_verify_offer_order(swp_finder *f);

#endif
