/* SPDX-License-Identifier: Apache-2.0 */
/* What edits of a schedule with warp roles choose from, and how lists are changed. */
#ifndef TEST_JUDGES_ROLES_EDITOR_H
#define TEST_JUDGES_ROLES_EDITOR_H

#include "random.h"

#include "swp/compile.h"

typedef struct role_editor {
    swp_context *ctx;
    swp_schedule *schedule;
    test_random *random;
    swp_entry_list *list; /* that is edited */
    swp_phase phase;      /* of it */
} role_editor;

typedef bool role_filter(const role_editor *e, const swp_op *op);

/* One of a role: the kernel in most cases. */
void role_editor_choose_list(role_editor *e);

/* An entry of the list that the filter takes; -1, or NULL: none was found. */
int role_editor_choose(const role_editor *e, role_filter *takes);
swp_op *role_editor_choose_op(const role_editor *e, role_filter *takes);

void role_editor_insert(const role_editor *e, int at, swp_op op);
swp_op role_editor_remove_at(const role_editor *e, int at);

#endif
