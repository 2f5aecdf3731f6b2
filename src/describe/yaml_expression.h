/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of 64-bit integers over named numbers, as it stands in `${...}`. */
#ifndef SWP_DESCRIBE_YAML_EXPRESSION_H
#define SWP_DESCRIBE_YAML_EXPRESSION_H

#include "describe/yaml_read.h"

#include <stdint.h>

/* A part of a scalar, and where it begins. */
typedef struct swp_yaml_slice {
    const char *text;
    size_t length;
    swp_place place;
    bool one_line; /* of a scalar whose columns in the file are those of its text */
} swp_yaml_slice;

/* What the names of expressions stand for (yaml_scope.h). */
typedef struct swp_yaml_scope swp_yaml_scope;

/* Finds the number of a name; reports what has none and leaves `*found` false. */
swp_status swp_describe_yaml_find_number(swp_yaml_scope *scope, const swp_yaml_slice *name,
                                         int64_t *number, bool *found);

/* The same of a figure of the target, which begins with `target.` (yaml_figure.c). */
swp_status swp_describe_yaml_find_figure(swp_yaml_scope *scope, const swp_yaml_slice *path,
                                         int64_t *number, bool *found);

/* The length of the name at the start of a text: letters, digits and _, no digit first; 0: there is none. */
size_t swp_describe_yaml_name_length(const char *text, size_t length);

/* What begins at a byte of a slice. */
swp_yaml_slice swp_describe_yaml_slice_from(const swp_yaml_slice *slice, size_t at, size_t length);

/* The value of an expression; reports why it has none and leaves `*found` false. */
swp_status swp_describe_yaml_evaluate(swp_yaml_scope *scope, const swp_yaml_slice *expression,
                                      int64_t *value, bool *found);

#endif
