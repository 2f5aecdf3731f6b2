/* SPDX-License-Identifier: Apache-2.0 */
/* Reading `loop:`, one logical iteration. */
#ifndef SWP_DESCRIBE_YAML_LOOP_H
#define SWP_DESCRIBE_YAML_LOOP_H

#include "base/key_index.h"
#include "describe/yaml_description.h"
#include "swp/loop.h"

/* The last ops of an iteration that read and write a value in global memory; -1: none does. */
typedef struct swp_yaml_global {
    int reader;
    int writer;
    swp_place place;
} swp_yaml_global;

/* A loop on its way. */
typedef struct swp_yaml_loop {
    swp_loop loop;
    struct {
        swp_problem_resource *items;
        size_t count;
        size_t capacity;
    } units;
    struct {
        bool *items;
        size_t count;
        size_t capacity;
    } rates; /* of each unit: it is one */
    struct {
        swp_loop_value *items;
        size_t count;
        size_t capacity;
    } values;
    struct {
        swp_loop_op *items;
        size_t count;
        size_t capacity;
    } ops;
    struct {
        swp_loop_role *items;
        size_t count;
        size_t capacity;
    } roles;
    /* Of what is listed above, in the same order. */
    swp_name_list role_names;
    swp_name_list unit_names;
    swp_name_list value_names;
    swp_name_list op_names;
    swp_name_list global_names;
    struct {
        swp_yaml_global *items;
        size_t count;
        size_t capacity;
    } globals;
    size_t operands; /* of all ops so far */
    bool sound;      /* what was read so far was understood, so an unknown name is none of it */
} swp_yaml_loop;

/* Whether it is the word for all roles, which is the name of none. */
bool swp_describe_yaml_is_any_role(const yaml_node_t *node);

/* The largest number that a description states. */
enum { SWP_YAML_MOST_NUMBER = 1000000000 };

/* The roles, the values, and the ops, which name all of them. `into` is a swp_yaml_loop. */
swp_status swp_describe_yaml_read_loop_roles(swp_yaml_reader *reader, const swp_yaml_item *item,
                                             void *into);
swp_status swp_describe_yaml_read_loop_values(swp_yaml_reader *reader, const swp_yaml_item *item,
                                              void *into);
swp_status swp_describe_yaml_read_loop_ops(swp_yaml_reader *reader, const swp_yaml_item *item,
                                           void *into);

/* The number of a space, by one of its names; SWP_YAML_GLOBAL has no values in a loop. */
enum { SWP_YAML_GLOBAL = -1 };
swp_status swp_describe_yaml_space(swp_yaml_reader *reader, const swp_yaml_item *item, int *space);

/* Adds a value in global memory, whose name is in `global_names` by now. */
swp_status swp_describe_yaml_add_global(swp_yaml_reader *reader, swp_yaml_loop *loop,
                                        swp_place place);

/* Of those that no op reads or writes. */
swp_status swp_describe_yaml_warn_of_globals(swp_yaml_reader *reader, const swp_yaml_loop *loop);

/*
 * Whether the node names a value in global memory, which the op on its way then reads or writes, or both. Reports
 * one that an op reads and another one writes, in whichever order they stand.
 */
swp_status swp_describe_yaml_access_global(swp_yaml_reader *reader, const yaml_node_t *node,
                                           swp_yaml_loop *loop, swp_loop_op *op, bool reads,
                                           bool writes, bool *is_global);

/* A number from 1 to `most`, or the least and the greatest. */
swp_status swp_describe_yaml_span(swp_yaml_reader *reader, const swp_yaml_item *item, int most,
                                  int *least, int *greatest);

/* Cycles, bytes or an amount of a unit. `*out` stays as it is after a report. */
swp_status swp_describe_yaml_size(swp_yaml_reader *reader, const swp_yaml_item *item, int64_t *out);

/* A name that must be new in its list, to which it is added: a copy of it, or NULL after a report. */
swp_status swp_describe_yaml_new_name(swp_yaml_reader *reader, const yaml_node_t *node,
                                      const char *what, swp_name_list *known, const char **out);

/* The number of a name of a list; -1 after a report. `what` is "unit", "value" or "role". */
swp_status swp_describe_yaml_known_name(swp_yaml_reader *reader, const yaml_node_t *node,
                                        const char *what, const swp_name_list *known, bool sound,
                                        int *out);

/* Reports a list or mapping of more than so many elements. `*fits` is false then. */
swp_status swp_describe_yaml_count(swp_yaml_reader *reader, const swp_yaml_item *item,
                                   long long count, int most, bool *fits);

/* Calls `read` for each element of a list, which `name` must be, if there are `most` at most. */
swp_status swp_describe_yaml_each(
    swp_yaml_reader *reader, const swp_yaml_item *item, const char *wanted, int most,
    swp_status (*read)(swp_yaml_reader *reader, yaml_node_t *node, void *into), void *into);

#endif
