/* SPDX-License-Identifier: Apache-2.0 */
/* What to write in place of a scalar, list or mapping that is of another kind, or out of range. */
#ifndef SWP_DESCRIBE_YAML_HINTS_H
#define SWP_DESCRIBE_YAML_HINTS_H

#include "describe/yaml_read.h"

/* @param wanted  as the message says it: "a whole number", "text", "a list of ops", "a mapping" and others */
const char *swp_describe_yaml_hint_of_type(const char *wanted, const yaml_node_t *node);

/* A plain value that should be a whole number. */
swp_status swp_describe_yaml_hint_of_number(swp_context *ctx, const char *text,
                                            const char *otherwise, char **hint);

/* A whole number that is below the range, or above it. */
swp_status swp_describe_yaml_hint_of_range(swp_context *ctx, swp_yaml_range range, bool is_below,
                                           char **hint);

/* Something has the name of another one; what ranges repeat is told apart by them. */
const char *swp_describe_yaml_hint_of_namesake(const swp_yaml_reader *reader);

#endif
