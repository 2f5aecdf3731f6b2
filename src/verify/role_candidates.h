/* SPDX-License-Identifier: Apache-2.0 */
/* The edits that may remove a hazard of warp roles: of any list of the run that shows it, the nearest first. */
#ifndef SWP_VERIFY_ROLE_CANDIDATES_H
#define SWP_VERIFY_ROLE_CANDIDATES_H

#include "verify/candidates.h"

/* A list that the run of a hazard goes through. */
typedef struct swp_role_list {
    int stream;
    int form;
    swp_phase phase;
    const swp_entry_list *entries;
} swp_role_list;

enum { SWP_MOST_ROLE_LISTS = SWP_MOST_STREAMS * (SWP_DRAIN + 4) };

typedef struct swp_role_finder {
    swp_context *ctx;
    const swp_schedule *schedule;
    const swp_hazard *hazard;
    int object; /* that the hazard is about; -1: none */
    swp_edit_list *out;
    swp_role_list lists[SWP_MOST_ROLE_LISTS]; /* that of the hazard first */
    int list_count;
} swp_role_finder;

swp_status swp_verify_role_candidates_find(swp_context *ctx, const swp_schedule *schedule,
                                           const swp_hazard *hazard, swp_edit_list *out);

/* --- Parts of that --- */

static inline swp_status swp_role_offer(swp_role_finder *f, const swp_role_list *list,
                                        swp_edit edit)
{
    edit.stream = list->stream;
    edit.form = list->form;
    edit.at.phase = list->phase;
    return swp_edits_push(f->ctx, f->out, edit);
}

/* Other members of an entry; those that slip most easily: who executes it, and on which object. */
swp_status swp_verify_role_offer_sets(swp_role_finder *f, const swp_role_list *list, int entry);
swp_status swp_verify_role_offer_slips(swp_role_finder *f, const swp_role_list *list, int entry);

/* Entries to insert: such as the role has for turns around but not for one; fences, other synchronisation, commits of groups, and work. */
typedef enum swp_role_insertion {
    SWP_INSERT_MISSING,
    SWP_INSERT_FENCE,
    SWP_INSERT_SYNC,
    SWP_INSERT_COMMIT,
    SWP_INSERT_WORK
} swp_role_insertion;
/* Before the entries from `first` to `last`; the last may be the list's end. */
swp_status swp_verify_role_offer_insertions(swp_role_finder *f, const swp_role_list *list,
                                            swp_role_insertion what, int first, int last);

/* Other counts of objects and values. */
swp_status swp_verify_role_offer_counts(swp_role_finder *f);

#endif
