/* SPDX-License-Identifier: Apache-2.0 */
/* Reading an op of a loop: what it is (yaml_loop_ops.c), and its operands (yaml_loop_operands.c). */
#ifndef SWP_DESCRIBE_YAML_LOOP_OP_H
#define SWP_DESCRIBE_YAML_LOOP_OP_H

#include "describe/yaml_loop.h"

/* An op on its way, and the loop that it is of. */
typedef struct swp_yaml_op {
    swp_yaml_loop *loop;
    swp_loop_op op;
} swp_yaml_op;

/* The values of an op, whose names must be known by then. `into` is a swp_yaml_op. */
swp_status swp_describe_yaml_read_reads(swp_yaml_reader *reader, const swp_yaml_item *item,
                                        void *into);
swp_status swp_describe_yaml_read_writes(swp_yaml_reader *reader, const swp_yaml_item *item,
                                         void *into);
swp_status swp_describe_yaml_read_updates(swp_yaml_reader *reader, const swp_yaml_item *item,
                                          void *into);

#endif
