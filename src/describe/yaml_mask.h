/* SPDX-License-Identifier: Apache-2.0 */
/* `${...}` between the brackets of YAML, which would take its braces and commas for its own. */
#ifndef SWP_DESCRIBE_YAML_MASK_H
#define SWP_DESCRIBE_YAML_MASK_H

#include "describe/yaml_screen.h"

/*
 * A source in which noncharacters stand for what YAML reserves, within each `${...}` of a line; as many
 * characters, so that places stay true. Reports a source that has such noncharacters itself.
 */
swp_status swp_describe_yaml_mask(swp_yaml_reader *reader, const swp_yaml_source *source,
                                  swp_yaml_source *masked);

/* Gives all scalars of the document their own characters back. */
void swp_describe_yaml_unmask(yaml_document_t *document);

#endif
