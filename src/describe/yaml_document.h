/* SPDX-License-Identifier: Apache-2.0 */
/* One YAML document from its text to what a reader of its tree makes of it. */
#ifndef SWP_DESCRIBE_YAML_DOCUMENT_H
#define SWP_DESCRIBE_YAML_DOCUMENT_H

#include "describe/yaml_screen.h"

typedef swp_status swp_yaml_read_tree(swp_yaml_reader *reader, void *into);

/*
 * Screens and parses it and reads its tree. Diagnostics from number `first` on are put in the order of the file.
 * SWP_INVALID where any error was reported.
 */
swp_status swp_describe_yaml_document(swp_yaml_reader *reader, const swp_yaml_source *source,
                                      size_t first, swp_yaml_read_tree *read, void *into);

#endif
