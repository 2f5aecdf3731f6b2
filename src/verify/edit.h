/* SPDX-License-Identifier: Apache-2.0 */
/* One edit of a schedule's lists, of its lag or of a count, such as a hint proposes. */
#ifndef SWP_VERIFY_EDIT_H
#define SWP_VERIFY_EDIT_H

#include "base/context.h"
#include "swp/verify.h"

enum { SWP_MOST_INSERTED = 3 };

typedef enum swp_edit_kind {
    SWP_EDIT_INSERT, /* ops before an entry, or at the list's end */
    SWP_EDIT_SET,    /* one member of an entry's op */
    SWP_EDIT_REMOVE,
    SWP_EDIT_MOVE, /* to before another entry of the list, or to its end */
    SWP_EDIT_LAG_INDEX,
    SWP_EDIT_LAG_END,
    SWP_EDIT_OBJECT, /* one count of a sync object */
    SWP_EDIT_SLOTS   /* how many a value has */
} swp_edit_kind;

typedef struct swp_edit {
    swp_edit_kind kind;
    int stream; /* whose list is edited: the one of the phase of `at`… */
    int form;   /* …and of this form, if the phase is the epilogue */
    swp_entry_ref at;
    int to; /* MOVE: the entry that it comes before; LAG_INDEX: the index; OBJECT, SLOTS: the count */
    swp_op ops[SWP_MOST_INSERTED]; /* INSERT: those; SET: what the op becomes */
    int op_count;
    const char *member; /* SET, OBJECT: as in the JSON */
    int number;         /* of the object, or of the value */
} swp_edit;

/* An edited schedule; it borrows all but what is edited. */
typedef struct swp_edited {
    swp_schedule schedule;
    size_t old_count; /* of the edited list, before */
    int *
        origins; /* of each of its entries the one that it was; -1: it is new; NULL: no list is edited */
} swp_edited;

static inline bool swp_edit_is_of_list(const swp_edit *edit)
{
    return edit->kind < SWP_EDIT_LAG_INDEX;
}

/* The list of a stream that has the phase in a form. */
const swp_entry_list *swp_verify_edit_list(const swp_schedule *schedule, int stream, int form,
                                           swp_phase phase);

swp_status swp_verify_edit_apply(swp_context *ctx, const swp_schedule *schedule,
                                 const swp_edit *edit, swp_edited *out);

/* The edit in words, with the entry numbers of the unedited schedule. */
swp_status swp_verify_edit_text(swp_context *ctx, const swp_schedule *schedule,
                                const swp_edit *edit, char **out);

#endif
