/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers by name: a crit-bit tree (D. J. Bernstein, "Crit-bit trees"; Morrison's PATRICIA, 1968).
 * A look-up takes as many steps as the name has bits at most, whatever names there are, so that no
 * choice of names makes reading a list take longer than its text.
 */
#ifndef SWP_BASE_NAME_INDEX_H
#define SWP_BASE_NAME_INDEX_H

#include "base/context.h"

typedef struct swp_name_node swp_name_node;

typedef struct swp_name_index {
    swp_name_node *root;
} swp_name_index;

/* The number of a name; -1: it has none. */
int swp_name_index_find(const swp_name_index *index, const char *name);

/* Adds a name that has no number yet. The index borrows it. */
swp_status swp_name_index_add(swp_context *ctx, swp_name_index *index, const char *name,
                              int number);

/* Names of a list, each once, and their numbers in it. */
typedef struct swp_name_list {
    const char **items;
    size_t count;
    size_t capacity;
    swp_name_index index;
} swp_name_list;

/* Appends a name that the list does not have. The list borrows it. */
swp_status swp_name_list_add(swp_context *ctx, swp_name_list *list, const char *name);

#endif
