/* SPDX-License-Identifier: Apache-2.0 */
/* Texts with `${...}` in them. */
#ifndef SWP_DESCRIBE_YAML_FILL_H
#define SWP_DESCRIBE_YAML_FILL_H

#include "describe/yaml_expression.h"

typedef struct swp_yaml_filled {
    const char *text; /* NULL after a report */
    size_t length;
    bool whole; /* it was nothing but one `${...}`, whose value is a number */
} swp_yaml_filled;

/* Whether there is a `${` in it. */
bool swp_describe_yaml_has_expression(const char *text, size_t length);

/* The text of a scalar, with where it stands. */
swp_yaml_slice swp_describe_yaml_slice_of(const swp_yaml_reader *reader, const yaml_node_t *node);

/* A text with the value in place of each `${...}`. */
swp_status swp_describe_yaml_fill(swp_yaml_scope *scope, const swp_yaml_slice *text,
                                  swp_yaml_filled *filled);

/* The number that a text then is; reports what is none and leaves `*found` false. */
swp_status swp_describe_yaml_fill_number(swp_yaml_scope *scope, const swp_yaml_slice *text,
                                         const char *name, int64_t *number, bool *found);

#endif
