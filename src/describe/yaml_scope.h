/* SPDX-License-Identifier: Apache-2.0 */
/* The names of a description: its `variables:`, those of the ranges around what is being read, and its target's figures. */
#ifndef SWP_DESCRIBE_YAML_SCOPE_H
#define SWP_DESCRIBE_YAML_SCOPE_H

#include "base/key_index.h"
#include "describe/yaml_expression.h"
#include "swp/describe.h"

typedef enum swp_yaml_progress {
    SWP_YAML_UNKNOWN,
    SWP_YAML_IN_WORK, /* what its value needs is looked for */
    SWP_YAML_KNOWN,
    SWP_YAML_FAULTY, /* which has been reported */
} swp_yaml_progress;

/* Of `variables:`. */
typedef struct swp_yaml_variable {
    swp_place place;
    swp_yaml_slice text; /* of its value; NULL: it has none */
    swp_yaml_progress progress;
    int64_t value;
    bool used;
} swp_yaml_variable;

/* A range's name and what it stands for now. */
typedef struct swp_yaml_binding {
    const char *name;
    const char *word; /* NULL: a number */
    int64_t number;
} swp_yaml_binding;

struct swp_yaml_scope {
    swp_yaml_reader *reader;
    const swp_target *target; /* whose figures are names, too; NULL: one that there is not */
    bool target_is_later;     /* its name needs an expression itself */
    swp_name_list names;      /* of the variables, in their order */
    struct {
        swp_yaml_variable *items;
        size_t count;
        size_t capacity;
    } variables;
    struct {
        int *items;
        size_t count;
        size_t capacity;
    } needed; /* variables in work, each of which the one before needs */
    struct {
        swp_yaml_binding *items;
        size_t count;
        size_t capacity;
    } bindings;   /* of the outermost range first */
    size_t depth; /* of what is being evaluated */
};

/* Reads `variables:`, NULL if absent, over which `given` has the last word, and finds the value of each. */
swp_status swp_describe_yaml_declare(swp_yaml_scope *scope, const yaml_node_t *mapping,
                                     const swp_variable *given, size_t count);

/* Warns of each variable that nothing has used. */
swp_status swp_describe_yaml_warn_of_unused(const swp_yaml_scope *scope);

/* A name that no variable and no range around has: a copy of it, or NULL after a report. */
swp_status swp_describe_yaml_new_variable(swp_yaml_scope *scope, const yaml_node_t *node,
                                          const char **name);

/* What a range's name stands for; NULL: no range around has it. */
const swp_yaml_binding *swp_describe_yaml_binding(const swp_yaml_scope *scope, const char *name,
                                                  size_t length);

#endif
