/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers by key, which is a name or some bytes: a crit-bit tree (D. J. Bernstein, "Crit-bit trees";
 * Morrison's PATRICIA, 1968). A look-up takes as many steps as the key has bits at most, whatever other
 * keys there are, so that no choice of names makes reading a list take longer than its text.
 */
#ifndef SWP_BASE_KEY_INDEX_H
#define SWP_BASE_KEY_INDEX_H

#include "base/context.h"

typedef struct swp_key_node swp_key_node;

typedef struct swp_key_index {
    swp_key_node *root;
} swp_key_index;

/* The number of a key; -1: it has none. */
int swp_key_index_find(const swp_key_index *index, const void *key, size_t length);

/*
 * Adds a key that has no number yet, and does not differ from another one in zeros at its end alone. The
 * index borrows it.
 */
swp_status swp_key_index_add(swp_context *ctx, swp_key_index *index, const void *key, size_t length,
                             int number);

/* The number of a key, which is `next` from now on if it had none; the index then keeps a copy of it. */
swp_status swp_key_index_number(swp_context *ctx, swp_key_index *index, const void *key,
                                size_t length, int next, int *number);

/* Names of a list, each once, and their numbers in it. */
typedef struct swp_name_list {
    const char **items;
    size_t count;
    size_t capacity;
    swp_key_index index;
} swp_name_list;

/* Where in the list the name stands; -1: nowhere. */
int swp_name_list_find(const swp_name_list *list, const char *name);

/* Appends a name that the list does not have. The list borrows it. */
swp_status swp_name_list_add(swp_context *ctx, swp_name_list *list, const char *name);

#endif
