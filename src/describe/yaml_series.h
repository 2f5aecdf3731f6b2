/* SPDX-License-Identifier: Apache-2.0 */
/* What a name of `for:` runs over. */
#ifndef SWP_DESCRIBE_YAML_SERIES_H
#define SWP_DESCRIBE_YAML_SERIES_H

#include "describe/yaml_scope.h"

typedef struct swp_yaml_series {
    const char **words; /* NULL: numbers */
    int64_t first;
    int64_t count;
} swp_yaml_series;

/* Reads a count, [from, to] or a list of words; reports what is none and leaves `*found` false. */
swp_status swp_describe_yaml_read_series(swp_yaml_scope *scope, const yaml_node_t *node,
                                         const char *name, swp_yaml_series *series, bool *found);

/* What the name stands for in the step of this number. */
swp_yaml_binding swp_describe_yaml_step(const swp_yaml_series *series, const char *name,
                                        int64_t number);

#endif
