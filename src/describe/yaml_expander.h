/* SPDX-License-Identifier: Apache-2.0 */
/* What writing variables and ranges out is made of: nodes (yaml_expand.c) and ranges (yaml_ranges.c). */
#ifndef SWP_DESCRIBE_YAML_EXPANDER_H
#define SWP_DESCRIBE_YAML_EXPANDER_H

#include "describe/yaml_scope.h"

typedef struct swp_yaml_expander {
    swp_yaml_reader *reader;
    swp_yaml_scope scope;
    const char *const *naming; /* keys, up to a NULL */
    bool *holds;               /* by node: whether `${` or `for` stands somewhere within */
    int *outside;              /* by node: what it has become outside of ranges; 0: nothing yet */
    size_t work;               /* is spent; beyond the most, nothing more is done */
    bool empty;                /* a range is, so that what only it uses seems unused */
} swp_yaml_expander;

/* Counts work, and reports too much of it, once. */
swp_status swp_describe_yaml_spend(swp_yaml_expander *x, size_t work, const yaml_node_t *at);

/* The pair of a mapping with this key; NULL: there is none, or the node is no mapping. */
const yaml_node_pair_t *swp_describe_yaml_pair(swp_yaml_expander *x, const yaml_node_t *node,
                                               const char *key);

/* What a node has become, as a node of its own, if it is a mapping without this pair. */
swp_status swp_describe_yaml_copy_node(swp_yaml_expander *x, int index,
                                       const yaml_node_pair_t *without, size_t depth, int *made);

/* Adds a node to a list. */
swp_status swp_describe_yaml_append(swp_yaml_expander *x, int list, int made);

/* Adds to a list what an item of it stands for that has this pair of `for`. */
swp_status swp_describe_yaml_append_ranges(swp_yaml_expander *x, int list, int item,
                                           const yaml_node_pair_t *own, size_t depth);

#endif
