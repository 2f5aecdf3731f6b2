/* SPDX-License-Identifier: Apache-2.0 */
/* One mutant of a schedule with warp roles: a list with other entries, shown to whoever visits. */
#ifndef TEST_JUDGES_ROLES_MUTANT_H
#define TEST_JUDGES_ROLES_MUTANT_H

#include "roles_mutants.h"

typedef struct role_mutant_visitor role_mutant_visitor;
struct role_mutant_visitor {
    swp_schedule *schedule;
    void (*visit)(const role_mutant *m, void *user);
    void *user;
    void (*of_entry)(const role_mutant_visitor *v, int at); /* shows its mutants */
    const swp_stream *stream;
    swp_entry_list *list;
    swp_phase phase;
    char list_name[32];
};

/* Shows the schedule as it is now. */
void role_mutant_show(const role_mutant_visitor *v, role_mutant_kind kind, const char *what);

/* The schedule with the list edited; it is as it was afterwards. */
void role_mutant_show_moved(const role_mutant_visitor *v, role_mutant_kind kind, int from, int to);
void role_mutant_show_without(const role_mutant_visitor *v, role_mutant_kind kind, int at);
void role_mutant_show_twice(const role_mutant_visitor *v, int at);
void role_mutant_show_changed(const role_mutant_visitor *v, role_mutant_kind kind, int at,
                              const char *change, swp_op op);

#endif
