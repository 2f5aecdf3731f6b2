/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The forms of entries and ops of warp roles: which objects, threads and numbers each has. What they mean is said
 * elsewhere (sync_objects.h), since who executes schedules by itself has them checked by these forms.
 */
#ifndef SWP_IR_ENTRY_FORMS_H
#define SWP_IR_ENTRY_FORMS_H

#include "swp/compile.h"
#include "swp/loop.h"

enum { SWP_NAMES_NO_OBJECT = -1 };

/* Which threads may execute an entry. */
typedef enum swp_executes { SWP_ANY_EXECUTE, SWP_ONE_EXECUTES, SWP_ALL_EXECUTE } swp_executes;

/* Of an entry of the framework, by its tag. */
typedef struct swp_entry_form {
    bool is_of_roles; /* lists of warp roles may have it */
    int object;       /* the swp_role_object_kind that it names; SWP_NAMES_NO_OBJECT */
    swp_executes executes;
    bool bytes;  /* it has some */
    bool groups; /* it waits for groups, and may leave some in flight */
} swp_entry_form;

/* Of an asynchronous op of a warp role, by its completion. */
typedef struct swp_op_form {
    swp_completion completion;
    int object;
    swp_threads by;
    bool bytes;
    bool registers;    /* it may have some… */
    bool reads_shared; /* …may read shared values… */
    bool makes_shared; /* …and make some */
} swp_op_form;

typedef struct swp_form_table {
    const swp_entry_form *entries; /* by tag, from SWP_TAG_BARRIER on */
    int entry_count;
    const swp_op_form *ops;
    int op_count;
} swp_form_table;

/* A file of its own has it alone (form_table.c), so that a test can link another one. */
extern const swp_form_table swp_ir_form_table;

/* The rows of which it is made. */
enum { SWP_ENTRY_FORMS = SWP_LAST_ROLE_TAG - SWP_TAG_BARRIER + 1, SWP_OP_FORMS = 3 };
extern const swp_entry_form swp_ir_entry_forms[SWP_ENTRY_FORMS];
extern const swp_op_form swp_ir_op_forms[SWP_OP_FORMS];

static inline swp_entry_form swp_ir_entry_form(int tag)
{
    const int row = tag - SWP_TAG_BARRIER;
    return row >= 0 && row < swp_ir_form_table.entry_count
               ? swp_ir_form_table.entries[row]
               : (swp_entry_form){.object = SWP_NAMES_NO_OBJECT};
}

/* NULL: the completion is none of warp roles'. */
static inline const swp_op_form *swp_ir_op_form(swp_completion completion)
{
    for (int i = 0; i < swp_ir_form_table.op_count; i++)
        if (swp_ir_form_table.ops[i].completion == completion)
            return &swp_ir_form_table.ops[i];
    return NULL;
}

#endif
