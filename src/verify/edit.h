/* SPDX-License-Identifier: Apache-2.0 */
/* One edit of a schedule's phases or of its lag, such as a hint proposes. */
#ifndef SWP_VERIFY_EDIT_H
#define SWP_VERIFY_EDIT_H

#include "base/context.h"
#include "swp/verify.h"

enum { SWP_MOST_INSERTED = 3 };

typedef enum swp_edit_kind {
    SWP_EDIT_INSERT, /* ops before an entry, or at the phase's end */
    SWP_EDIT_SET,    /* one number of an entry's op */
    SWP_EDIT_REMOVE,
    SWP_EDIT_MOVE, /* to before another entry of the phase, or to its end */
    SWP_EDIT_LAG_INDEX,
    SWP_EDIT_LAG_END
} swp_edit_kind;

typedef struct swp_edit {
    swp_edit_kind kind;
    swp_entry_ref at;
    int to;                        /* MOVE: the entry that it comes before; LAG_INDEX: the index */
    swp_op ops[SWP_MOST_INSERTED]; /* INSERT: those; SET: what the op becomes */
    int op_count;
    const char *member; /* SET: as in the JSON */
} swp_edit;

/* An edited schedule; it borrows all but its phases. */
typedef struct swp_edited {
    swp_schedule schedule;
    int *origins[3]; /* the entry of the old phase behind each new one; -1: inserted */
} swp_edited;

swp_status swp_verify_edit_apply(swp_context *ctx, const swp_schedule *schedule,
                                 const swp_edit *edit, swp_edited *out);

/* The edit in words, with the entry numbers of the unedited schedule. */
swp_status swp_verify_edit_text(swp_context *ctx, const swp_schedule *schedule,
                                const swp_edit *edit, char **out);

#endif
