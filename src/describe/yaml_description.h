/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of a description's top-level keys; `into` is a swp_yaml_top. */
#ifndef SWP_DESCRIBE_YAML_DESCRIPTION_H
#define SWP_DESCRIBE_YAML_DESCRIPTION_H

#include "describe/description.h"
#include "describe/yaml_read.h"

/* A row of `costs:`. */
typedef struct swp_yaml_cost {
    const char *name;
    int tag; /* -1 until one is given out */
    int line;
    swp_op_cost cost;
} swp_yaml_cost;

typedef struct swp_yaml_cost_list {
    swp_yaml_cost *items;
    size_t count;
    size_t capacity;
} swp_yaml_cost_list;

/* A description on its way. */
typedef struct swp_yaml_top {
    swp_description *description;
    bool has_body;
    bool has_kernel;  /* also one that there is not */
    bool body_sound;  /* every item was understood, so their number counts */
    bool costs_sound; /* every row was understood, so an unknown op is none of them */
    swp_yaml_cost_list costs;
} swp_yaml_top;

/* The row of an op; NULL, with the hint, if there is none. */
swp_status swp_describe_yaml_find_cost(swp_yaml_reader *reader, const swp_yaml_top *top,
                                       const char *name, const swp_yaml_cost **cost, char **hint);

swp_status swp_describe_yaml_read_costs(swp_yaml_reader *reader, const swp_yaml_item *item,
                                        void *into);
swp_status swp_describe_yaml_read_body(swp_yaml_reader *reader, const swp_yaml_item *item,
                                       void *into);
swp_status swp_describe_yaml_read_bootstrap(swp_yaml_reader *reader, const swp_yaml_item *item,
                                            void *into);
swp_status swp_describe_yaml_read_edges(swp_yaml_reader *reader, const swp_yaml_item *item,
                                        void *into);
swp_status swp_describe_yaml_read_loop(swp_yaml_reader *reader, const swp_yaml_item *item,
                                       void *into);
swp_status swp_describe_yaml_read_section(swp_yaml_reader *reader, const swp_yaml_item *item,
                                          void *into);
swp_status swp_describe_yaml_read_num_k_tiles(swp_yaml_reader *reader, const swp_yaml_item *item,
                                              void *into);

#endif
