/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers keys, which are names or bytes, in a crit-bit tree (D. J. Bernstein, "Crit-bit trees";
 * Morrison's PATRICIA, 1968). A look-up takes at most as many steps as the key has bits, whatever
 * other keys there are. So no choice of names makes reading a list take longer than its text.
 */
#ifndef SWP_BASE_KEY_INDEX_H
#define SWP_BASE_KEY_INDEX_H

#include "base/context.h"

typedef struct swp_key_node swp_key_node;

typedef struct swp_key_index {
    swp_key_node *root;
} swp_key_index;

/* Returns the number of a key, or -1 if it has none. */
int swp_key_index_find(const swp_key_index *index, const void *key, size_t length);

/*
 * Adds a key that has no number yet. It must differ from every other one in more than zeros at its
 * end. The index borrows it.
 */
swp_status swp_key_index_add(swp_context *ctx, swp_key_index *index, const void *key, size_t length,
                             int number);

/* Returns the number of a key. If it has none it gets `next`, and the index keeps a copy of it. */
swp_status swp_key_index_number(swp_context *ctx, swp_key_index *index, const void *key,
                                size_t length, int next, int *number);

/* Lists names, each once, with their numbers in the list. */
typedef struct swp_name_list {
    const char **items;
    size_t count;
    size_t capacity;
    swp_key_index index;
} swp_name_list;

/* Returns where in the list the name stands, or -1. */
int swp_name_list_find(const swp_name_list *list, const char *name);

/* Appends a name that the list does not have. The list borrows it. */
swp_status swp_name_list_add(swp_context *ctx, swp_name_list *list, const char *name);

#endif
