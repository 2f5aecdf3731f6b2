/* SPDX-License-Identifier: Apache-2.0 */
/* Writing variables and ranges out in the tree of a document, before its keys are read. */
#ifndef SWP_DESCRIBE_YAML_EXPAND_H
#define SWP_DESCRIBE_YAML_EXPAND_H

#include "base/key_index.h"
#include "describe/yaml_read.h"
#include "swp/describe.h"

/*
 * Puts values in place of each `${...}`, and what it stands for in place of each element `{for: ...}` of
 * a list. New nodes have the places of those that they come from, and ranges give each of their elements
 * a name in reader->instances. `names` becomes the list of the variables. After a report the document is
 * half done, and not to be read.
 * @param naming  the keys, up to a NULL, of which the first that an element has gives its name
 */
swp_status swp_describe_yaml_expand(swp_yaml_reader *reader, const swp_variable *given,
                                    size_t count, const char *const *naming, swp_name_list *names);

#endif
