/* SPDX-License-Identifier: Apache-2.0 */
/* What a file of YAML is, where it is not what is wanted. */
#ifndef SWP_DESCRIBE_YAML_KIND_H
#define SWP_DESCRIBE_YAML_KIND_H

#include "describe/yaml_read.h"

typedef enum swp_yaml_file {
    SWP_YAML_DESCRIPTION,
    SWP_YAML_TARGET,
    SWP_YAML_SPACE /* of `swp tune` */
} swp_yaml_file;

/* The value of a key of a mapping, which may be any node; NULL: it has none. */
const yaml_node_t *swp_describe_yaml_member(swp_yaml_reader *reader, const yaml_node_t *mapping,
                                            const char *key);

/* Whether the file is of another kind than the wanted one; then an error says so, and what takes it. */
swp_status swp_describe_yaml_check_file(swp_yaml_reader *reader, const yaml_node_t *root,
                                        swp_yaml_file wanted, bool *is_other);

#endif
