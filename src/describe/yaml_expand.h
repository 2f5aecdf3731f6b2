/* SPDX-License-Identifier: Apache-2.0 */
/* Writing variables and ranges out in the tree of a document, before its keys are read. */
#ifndef SWP_DESCRIBE_YAML_EXPAND_H
#define SWP_DESCRIBE_YAML_EXPAND_H

#include "base/key_index.h"
#include "describe/yaml_read.h"
#include "swp/describe.h"

/* What expressions of a file have besides its own variables. */
typedef struct swp_yaml_names {
    const swp_variable *given; /* has the last word over them */
    size_t given_count;
    const swp_target *target; /* whose figures they have; NULL: none that there is */
    bool target_is_later; /* it is NULL as its name has an expression; otherwise others report it */
} swp_yaml_names;

/*
 * Puts values in place of each `${...}`, and what it stands for in place of each element `{for: ...}` of
 * a list. New nodes have the places of those that they come from, and ranges give each of their elements
 * a name in reader->instances. `names` becomes the list of the variables. After a report the document is
 * half done, and not to be read.
 * @param naming  the keys, up to a NULL, of which the first that an element has gives its name
 */
swp_status swp_describe_yaml_expand(swp_yaml_reader *reader, const swp_yaml_names *known,
                                    const char *const *naming, swp_name_list *names);

#endif
