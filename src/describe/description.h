/* SPDX-License-Identifier: Apache-2.0 */
/* What a description holds, before its settings are resolved. */
#ifndef SWP_DESCRIBE_DESCRIPTION_H
#define SWP_DESCRIBE_DESCRIPTION_H

#include "base/key_index.h"
#include "swp/describe.h"

/* A path and its value. At most one for each path: a later one takes the place of an earlier one. */
typedef struct swp_setting {
    const swp_field *field;
    const char *text;
    swp_place key;
    swp_place value;
} swp_setting;

typedef struct swp_setting_list {
    swp_setting *items;
    size_t count;
    size_t capacity;
} swp_setting_list;

#define SWP_REORDERS(X)                                                                            \
    X(SWP_REORDER_NONE, 0, "none")                                                                 \
    X(SWP_REORDER_SINGLE_BUFFER, 1, "single_buffer")                                               \
    X(SWP_REORDER_DOUBLE_BUFFER, 2, "double_buffer")

#define SWP_BLOCK_FORMS(X)                                                                         \
    X(SWP_BLOCKS_TEMPLATE, 0, "template")                                                          \
    X(SWP_BLOCKS_MINIMAL, 1, "minimal")

typedef enum swp_reorder { SWP_REORDERS(SWP_NUMBERED) } swp_reorder;
typedef enum swp_block_form { SWP_BLOCK_FORMS(SWP_NUMBERED) } swp_block_form;

/* A body of the user's own. A place without a line: its key is absent. */
typedef struct swp_own_body {
    swp_op_list ops; /* with their costs */
    const char *names[SWP_KERNEL_TAGS];
    swp_reorder reorder;
    swp_block_form blocks;
    bool own_edges;
    swp_edge_list edges;
    swp_op_list bootstrap;
    swp_place body_place;
    swp_place edges_place;
    swp_place reorder_place;
    swp_place blocks_place;
    swp_place bootstrap_place;
} swp_own_body;

struct swp_description {
    const char *name;
    const swp_builtin *builtin; /* NULL: the body */
    swp_own_body body;
    const swp_loop *loop; /* of the user's own; NULL: none */
    const swp_target *target;
    swp_setting_list settings;
    swp_name_list variables; /* of a file, which has their values */
};

/* An empty description for the default target. */
swp_status swp_describe_new(swp_context *ctx, swp_description **out);

/* With its name, and the target that it is for. */
void swp_describe_take_builtin(swp_description *description, const swp_builtin *builtin);

/* Adds a setting whose path is known to exist. */
swp_status swp_describe_add(swp_context *ctx, swp_description *description, swp_setting setting);

bool swp_describe_is_loop(const swp_description *description);

/* Whether a section means something for the description, whatever its depth turns out to be. */
bool swp_describe_takes(const swp_description *description, swp_section section);

/* The error for a section that does not. `what` is the key or path to name. */
swp_status swp_describe_refuse(swp_context *ctx, const swp_description *description,
                               swp_section section, const char *what, swp_place place);

/* The setting of a field, or NULL if it is left at its default. */
const swp_setting *swp_describe_setting(const swp_description *description, const char *path);

#endif
